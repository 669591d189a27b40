"""What it costs to compile a program that uses one estimator."""
import pathlib
import re
import resource
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
ESTIMATORS = {"pca": "PCA", "classical_mds": "ClassicalMDS", "isomap": "Isomap", "lle": "LLE",
              "laplacian_eigenmap": "LaplacianEigenmap", "diffusion_map": "DiffusionMap",
              "tsne": "TSNE"}


def source_of(estimator):
    """None: only Eigen's headers."""
    if estimator is None:
        return "#include <Eigen/Dense>\n#include <Eigen/Sparse>\nint main() {}\n"
    return (f'#include "unfurl/{estimator}.hpp"\n'
            f"int main() {{\n  unfurl::{ESTIMATORS[estimator]}<> estimator;\n"
            "  estimator.fit(Eigen::MatrixXd::Random(100, 5));\n"
            "  return static_cast<int>(estimator.transform(Eigen::MatrixXd::Random(3, 5)).rows());\n"
            "}\n")


def compiler_of(build):
    cache = (build / "CMakeCache.txt").read_text() if (build / "CMakeCache.txt").exists() else ""
    found = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", cache, re.MULTILINE)
    return found.group(1) if found else "g++"


def include_flags(build):
    """Where the build found Eigen and the other headers."""
    flags = build / "benchmarks" / "CMakeFiles" / "bench_pca.dir" / "flags.make"
    found = re.search(r"^CXX_INCLUDES = (.+)$", flags.read_text() if flags.exists() else "",
                      re.MULTILINE)
    words = found.group(1).split() if found else ["-isystem", "/usr/include/eigen3"]
    return [f"-I{ROOT / 'include'}", *words]


def compile_seconds(build, estimator, linked=False):
    """Processor seconds of the compiler, without those of the system.

    linked: as a program that links unfurl::compiled, where the estimators were compiled once.
    """
    source = build / "data" / f"compile_{estimator or 'eigen'}.cpp"
    source.write_text(source_of(estimator))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([compiler_of(build), "-std=c++17", "-O2", *include_flags(build),
                           *(["-DUNFURL_COMPILED"] if linked else []), "-c", str(source),
                           "-o", str(source.with_suffix(".o"))], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip()[-500:])
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
