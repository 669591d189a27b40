#include "unfurl/io/csv.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/streams.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using test::contains;
using test::error_text;
using Names = std::vector<std::string>;

namespace {

CsvTable<> table_of(const std::string& text, const CsvOptions& options = {}) {
  std::istringstream in(text);
  return read_csv(in, options);
}

std::string csv_complaint(const std::string& text, const CsvOptions& options = {}) {
  return error_text<FormatError>([&] { table_of(text, options); });
}

std::string csv_of(const Matrix<double>& X, const CsvWriteOptions& options = {}) {
  std::ostringstream out;
  write_csv(out, X, options);
  return out.str();
}

CsvOptions with_label(std::variant<Index, std::string> column) {
  CsvOptions options;
  options.label_column = std::move(column);
  return options;
}

const Matrix<double> one_to_six = (Matrix<double>(2, 3) << 1, 2, 3, 4, 5, 6).finished();

}  // namespace

TEST_CASE("the separator is found", "[csv]") {
  for (const char* text : {"1,2,3\n4,5,6\n", "1;2;3\n4;5;6\n", "1\t2\t3\n4\t5\t6\n",
                           "1 2 3\n4 5 6\n", "  1   2 3  \n 4 5     6\n", "1 , 2,3 \n4,\t5 ,6\n",
                           " 1 ; 2 ; 3\n4;5;6", "\"1\",2,3\n4,5,6"}) {
    CAPTURE(text);
    const CsvTable<> table = table_of(text);
    CHECK(test::same_bytes(table.values, one_to_six));
    CHECK(table.columns.empty());
    CHECK(table.labels.empty());
  }
  CHECK(table_of("7\n8\n").values.rows() == 2);            // one column has none
  CHECK_THROWS_AS(table_of("1 \t2;3\n4;5"), FormatError);  // a tab comes first
  CsvOptions options;
  options.separator = '|';
  CHECK(test::same_bytes(table_of("1|2|3\n4|5|6", options).values, one_to_six));
  for (const char bad : {'1', 'e', '"', '.', '-', '\n', '\xe4'}) {
    options.separator = bad;
    CHECK_THROWS_AS(table_of("1,2", options), ParameterError);
  }
}

TEST_CASE("line ends, blank lines and byte order marks do not matter", "[csv][contract69]") {
  for (const char* text :
       {"1,2,3\r\n4,5,6\r\n", "1,2,3\n4,5,6", "1,2,3\r\n4,5,6", "\n\n1,2,3\n  \n\t\n4,5,6\n\n",
        "\xEF\xBB\xBF"
        "1,2,3\n4,5,6\n",
        "\xEF\xBB\xBF\r\n1,2,3\r\n\r\n4,5,6"}) {
    CAPTURE(text);
    CHECK(test::same_bytes(table_of(text).values, one_to_six));
  }
}

TEST_CASE("a header is told from numbers, or as asked for", "[csv]") {
  const CsvTable<> named = table_of("a,b,c\n1,2,3\n4,5,6\n");
  CHECK(named.columns == Names{"a", "b", "c"});
  CHECK(test::same_bytes(named.values, one_to_six));
  CHECK(table_of("a,2,3\n1,2,3\n").columns == Names{"a", "2", "3"});
  CHECK(table_of("nan,inf,3\n1,2,3\n",
                 [] {
                   CsvOptions options;
                   options.allow_non_finite = true;
                   return options;
                 }())
            .columns.empty());
  CHECK(table_of("\"a, b\",\"say \"\"c\"\"\"\n1,2\n").columns == Names{"a, b", "say \"c\""});

  CsvOptions options;
  options.header = CsvHeader::present;
  CHECK(table_of("2019,2020\n1,2\n", options).columns == Names{"2019", "2020"});
  CHECK(table_of("2019,2020\n1,2\n", options).values.rows() == 1);
  options.header = CsvHeader::none;
  CHECK(contains(csv_complaint("a,b\n1,2\n", options), "line 1, column 1: 'a' is not a number"));
}

TEST_CASE("only a header is a table without rows, nothing at all is an error",
          "[csv][contract69]") {
  const CsvTable<> table = table_of("a,b,c\n");
  CHECK(table.values.rows() == 0);
  CHECK(table.values.cols() == 3);
  CHECK(table.columns.size() == 3);
  for (const char* text : {"", "\n", "  \n\r\n", "\xEF\xBB\xBF"}) {
    CAPTURE(text);
    CHECK(contains(csv_complaint(text), "the file is empty"));
  }
}

TEST_CASE("labels come by name or by number", "[csv]") {
  const std::string text = "x,kind,y\n1,\"a \"\"b\"\"\",2\n3,c d,4\n5,,6\n";
  const Names expected{"a \"b\"", "c d", ""};
  for (const auto& column :
       {std::variant<Index, std::string>("kind"), std::variant<Index, std::string>(Index{1}),
        std::variant<Index, std::string>(Index{-2})}) {
    const CsvTable<> table = table_of(text, with_label(column));
    CHECK(table.labels == expected);
    CHECK(table.columns == Names{"x", "y"});
    REQUIRE(table.values.rows() == 3);
    REQUIRE(table.values.cols() == 2);
    CHECK(table.values(2, 1) == 6);
  }
  // The label does not make a header.
  const CsvTable<> iris = table_of("5.1,3.5,setosa\n4.9,3,setosa\n", with_label(Index{-1}));
  CHECK(iris.values.rows() == 2);
  CHECK(iris.columns.empty());
  CHECK(iris.labels == Names{"setosa", "setosa"});
  CsvOptions readable;  // as a user writes it
  readable.label_column = "kind";
  CHECK(table_of(text, readable).labels == expected);
  readable.label_column = 1;
  CHECK(table_of(text, readable).labels == expected);

  CHECK_THROWS_AS(table_of(text, with_label(Index{3})), ParameterError);
  CHECK_THROWS_AS(table_of(text, with_label(Index{-4})), ParameterError);
  CHECK(error_text<ParameterError>([&] { table_of(text, with_label("z")); }) ==
        "read_csv: no column is called 'z'; the first is 'x', the last 'y'");
  CHECK(contains(csv_complaint("a,a\n1,2\n", with_label("a")), "two columns are called 'a'"));
  CsvOptions none = with_label("x");
  none.header = CsvHeader::none;
  CHECK_THROWS_AS(table_of(text, none), ParameterError);
}

TEST_CASE("a quoted field may hold separators and line ends", "[csv]") {
  const CsvTable<> table = table_of(
      "1,\"two\nlines, \r\nthree\"\n2,\"\"\n3,\"\"\"\"\n4, \" x \" \n", with_label(Index{1}));
  CHECK(table.labels == Names{"two\nlines, \r\nthree", "", "\"", " x "});
  CHECK(test::same_bytes(table.values, Eigen::Vector4d(1, 2, 3, 4)));
  // The line in an error is that of the file.
  CHECK(
      contains(csv_complaint("1,\"a\nb\"\nx,c\n", with_label(Index{1})), "line 3, column 1: 'x'"));
  CHECK(contains(csv_complaint("1,2\n3,\"4\n5,6\n"), "line 2: a quoted field does not end"));
  CHECK(contains(csv_complaint("1,2\n3,\"4\"5\n"),
                 "line 2, column 2: something follows the closing"));
  CHECK(contains(csv_complaint("1 2\n3 \"4\"5\n"),
                 "line 2, column 2: something follows the closing"));
  CHECK(contains(csv_complaint("1,2\n3,4\"5\"\n"), "line 2, column 2: a quote within a field"));
}

TEST_CASE("what is no number is told with its place", "[csv][contract69]") {
  struct Case {
    std::string field, why;
  };
  for (const Case& c :
       {Case{"abc", "'abc' is not a number"}, Case{"1.5x", "'1.5x' is not a number"},
        Case{"0x10", "'0x10' is not a number"}, Case{"1e", "'1e' is not a number"},
        Case{"--1", "'--1' is not a number"}, Case{"+-1", "'+-1' is not a number"},
        Case{"1 2", "'1 2' is not a number"}, Case{".", "'.' is not a number"},
        Case{"-", "'-' is not a number"}, Case{"nan(1)", "'nan(1)' is not a number"},
        Case{"infinit", "'infinit' is not a number"}, Case{"1e999", "too large for double"},
        Case{"-1e400", "too large for double"}, Case{"", "the field is empty"},
        Case{"nan", "'nan' is not finite"}, Case{"-inf", "'-inf' is not finite"},
        Case{std::string(100, '9') + "x", "'" + std::string(40, '9') + "…' is not a number"},
        Case{std::string("1\0", 2), "'1?' is not a number"}}) {
    CAPTURE(c.field);
    const std::string found = csv_complaint("1,2,3\n4," + c.field + ",6\n");
    CHECK(contains(found, "read_csv: line 2, column 2: "));
    CHECK(contains(found, c.why));
  }
  std::istringstream in("1,2\n3,4\n5,x\n");
  try {
    read_csv(in);
    FAIL("nothing was thrown");
  } catch (const FormatError& error) {
    CHECK(error.offset() == 3);
  }
  CHECK(csv_complaint("1,2,3\n4,5\n") ==
        "read_csv: line 2: found 2 columns, expecting 3 as in the first line");
  CHECK(contains(csv_complaint("a,b\n1,2\n\n1,2,3\n"), "line 4: found 3 columns, expecting 2"));
  CHECK(contains(csv_complaint("1;2\n3,5;4\n"), "line 2, column 1: '3,5' is not a number"));
  CHECK(contains(csv_complaint("1,2,\n"), "line 1, column 3: the field is empty"));
}

TEST_CASE("nan, inf and empty fields are read when asked for", "[csv][contract69]") {
  CsvOptions options;
  options.allow_non_finite = true;
  const auto X = table_of("1,NaN,-nan\n,Inf,-Infinity\n", options).values;
  CHECK(std::isnan(X(0, 1)));
  CHECK(std::isnan(X(0, 2)));
  CHECK(std::isnan(X(1, 0)));
  CHECK(X(1, 1) == std::numeric_limits<double>::infinity());
  CHECK(X(1, 2) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("numbers are read to the last bit, in both ways", "[csv]") {
  for (const char* text :
       {"0.1", "1", "1.", ".5", "1e5", "1E+5", "12.5e-3", "123456789012345678901234567890",
        "2.2250738585072011e-308", "4.9406564584124654e-324", "1.7976931348623157e308",
        "9007199254740993", "0.30000000000000004", "000012", "5e-7"}) {
    CAPTURE(text);
    const double expected = std::strtod(text, nullptr);
    double value = 0, by_stream = 0;
    CHECK(detail::parse_number(std::string_view(text), value) == detail::NumberText::number);
    CHECK(value == expected);
    CHECK(detail::is_decimal(text));
    CHECK(detail::parse_by_stream(std::string_view(text), by_stream));
    CHECK(by_stream == expected);
    float single = 0;
    if (detail::parse_number(std::string_view(text), single) == detail::NumberText::number)
      CHECK(single == std::strtof(text, nullptr));
    else
      CHECK(expected > 1e38);
  }
  double value = 1;
  for (const char* tiny :
       {"1e-400", "-1e-400", "1e-99999999999999999999", "0e999", "0.000000001e-320", "1000e-400"}) {
    CAPTURE(tiny);
    CHECK(detail::parse_number(std::string_view(tiny), value) == detail::NumberText::number);
    CHECK(value == 0);
  }
  for (const std::string& huge :
       {std::string("1e400"), std::string("1e+99999999999999999999"), std::string(400, '9'),
        std::string(400, '9') + "e-5", std::string("0.001e400")}) {
    CAPTURE(huge);
    CHECK(detail::parse_number(std::string_view(huge), value) == detail::NumberText::too_large);
  }
  for (const char* bad : {"", ".", "e5", "1e", "1e+", "1 ", " 1", "0x1", "1,5", "1.5.2", "-1"})
    CHECK_FALSE(detail::is_decimal(bad));
}

TEMPLATE_TEST_CASE("a table is written and read to the bit", "[csv][contract61]", float, double) {
  Matrix<TestType> X = test::gaussian<TestType>(200, 3);
  for (Index i = 0; i < 100; ++i) X(i, 0) = std::ldexp(X(i, 0), static_cast<int>(2 * i - 100));
  X.row(100) << -TestType(0), std::numeric_limits<TestType>::denorm_min(),
      (std::numeric_limits<TestType>::max)();
  X.row(101) << std::numeric_limits<TestType>::quiet_NaN(),
      std::numeric_limits<TestType>::infinity(), -std::numeric_limits<TestType>::infinity();
  std::ostringstream out;
  write_csv(out, X);
  CsvOptions options;
  options.allow_non_finite = true;
  std::istringstream in(out.str());
  const Matrix<TestType> back = read_csv<TestType>(in, options).values;
  CHECK(test::same_bytes(back, X));
  CHECK(std::signbit(back(100, 0)));
  for (Index i = 0; i < 100; ++i) {  // and without to_chars and from_chars
    TestType value = 0;
    CHECK(detail::parse_by_stream(detail::digits_by_stream(std::abs(X(i, 0))), value));
    CHECK(value == std::abs(X(i, 0)));
  }
}

TEST_CASE("names and labels come back as they were", "[csv]") {
  const Names nasty{"plain", "a,b",   "say \"x\"", "two\r\nlines\r", " spaces ", "",
                    "7",     "tab\t", "ü"};
  for (const char separator : {',', ';', '\t', ' ', '|'}) {
    CAPTURE(separator);
    CsvWriteOptions options;
    options.separator = separator;
    options.columns = {"x", nasty[2], nasty[4]};
    options.labels = nasty;
    options.label_name = "the kind";
    const Matrix<double> X = test::gaussian<double>(9, 3);
    CsvOptions reading = with_label("the kind");
    reading.separator = separator;
    const CsvTable<> table = table_of(csv_of(X, options), reading);
    CHECK(table.labels == nasty);
    CHECK(table.columns == options.columns);
    CHECK(test::same_bytes(table.values, X));
  }
  // A label that begins as files with a byte order mark do.
  CsvWriteOptions marked;
  marked.labels = {"\xEF\xBB\xBF", "x"};
  const std::string text = csv_of(Matrix<double>(2, 0), marked);
  CHECK(table_of(text, with_label(Index{0})).labels == marked.labels);
  CHECK(csv_of(one_to_six) == "1,2,3\n4,5,6\n");
  CsvWriteOptions options;
  options.columns = {"a", "b"};
  CHECK(error_text<ParameterError>([&] { csv_of(one_to_six, options); }) ==
        "write_csv: there are 2 names for 3 columns");
  options.columns = {};
  options.labels = {"a"};
  CHECK_THROWS_AS(csv_of(one_to_six, options), ParameterError);
  options.labels = {};
  options.separator = 0;
  CHECK_THROWS_AS(csv_of(one_to_six, options), ParameterError);
}

TEST_CASE("tables do not follow the locale", "[csv][contract68]") {
  const Matrix<double> X = 12345.5 * test::gaussian<double>(20, 3);
  const std::string plain = csv_of(X);
  const test::ContinentalLocale continental;
  CHECK(csv_of(X) == plain);
  CHECK(test::same_bytes(table_of(plain).values, X));
  double value = 0;
  CHECK(detail::parse_by_stream("1.5", value));
  CHECK(value == 1.5);
  CHECK(detail::digits_by_stream(12345.5) == "12345.5");
}

TEST_CASE("a text cut at any byte is a shorter table or an error", "[csv][contract64]") {
  const std::string text =
      "\xEF\xBB\xBF"
      "a,\"b\"\r\n1.5e1,\"-2\"\r\n\"3\",4\r\n";
  const Matrix<double> whole = table_of(text).values;
  REQUIRE(whole.rows() == 2);
  for (std::size_t length = 0; length < text.size(); ++length) {
    CAPTURE(length);
    try {
      const CsvTable<> table = table_of(text.substr(0, length));
      CHECK(table.values.rows() <= 2);
    } catch (const FormatError& error) {
      CHECK(error.offset() <= 3);
    }
  }
}

TEST_CASE("one very long quoted text takes no more than its time", "[csv][contract69]") {
  std::string text = "1,\"";
  for (int i = 0; i < 200000; ++i) text += "\n";
  CHECK(contains(csv_complaint(text), "line 1: a quoted field does not end"));
  CHECK(table_of(text + "\"\n", with_label(Index{1})).labels[0].size() == 200000);
}

TEST_CASE("the file of a table is named in errors", "[csv][contract66]") {
  const test::Folder folder("csv");
  write_csv(folder / "x.csv", one_to_six);
  CHECK(test::same_bytes(read_csv(folder / "x.csv").values, one_to_six));
  CHECK(read_csv<float>((folder / "x.csv").string()).values(1, 2) == 6.0f);
  test::put(folder / "x.csv", "1,2\n3,x\n");
  const std::string found = error_text<FormatError>([&] { read_csv(folder / "x.csv"); });
  CHECK(contains(found, "x.csv': read_csv: line 2, column 2: 'x' is not a number"));
  CHECK(contains(error_text<IoError>([&] { read_csv(folder / "y.csv"); }), "No such file"));
  CHECK_THROWS_AS(write_csv(folder / "none/x.csv", one_to_six), IoError);
  test::FullDisk disk(5);
  std::ostream out(&disk);
  CHECK_THROWS_AS(write_csv(out, one_to_six), IoError);
  test::BrokenDisk broken("1,2\n3,4");
  std::istream in(&broken);
  CHECK(contains(error_text<IoError>([&] { read_csv(in); }), "failed while reading"));
}

TEST_CASE("the digits of the examples are read", "[csv]") {
  const CsvTable<> digits =
      read_csv(std::string(UNFURL_SOURCE_DIR) + "/examples/data/digits.csv", with_label(Index{-1}));
  CHECK(digits.values.rows() == 1797);
  CHECK(digits.values.cols() == 64);
  CHECK(digits.values.maxCoeff() == 16);
  CHECK(digits.labels.size() == 1797);
  CHECK(digits.labels[3] == "3");
}
