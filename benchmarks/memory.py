"""The peak of memory above the data, as the class comments of the estimators state it."""

FEATURES = {"swiss_roll": 3, "digits": 64, "mnist50": 50, "mnist784": 784}


def principal(n, D, scalar, components):
    """PCA, and ClassicalMDS of points."""
    small = min(n, D)
    if n * D * small <= 2e7 and small <= 256:
        return n * D * (scalar + 8) + scalar * n * components
    return scalar * (n * components + (9 if small <= 1024 else 2) * small ** 2)


def neighborhood(n, D, k):
    """The graph of k neighbours and what follows from it, in double. High-dimensional data join more
    samples than those that each names, and are solved by products."""
    return n * (400 + 20 * D + (145 if D < 10 else 225) * k)


def formula(program, data, n, options):
    """Megabytes of a fit on n samples; None where no formula is stated."""
    D = FEATURES[data]
    scalar = 4 if options.get("scalar") == "float" else 8
    if program == "pca":
        needed = principal(n, D, scalar, options["components"])
    elif program == "classical_mds":
        needed = (max(2000 * n, 32 * min(200000, n * (n - 1) / 2)) if "distances" in options
                  else principal(n, D, scalar, 2))
    elif program == "lle":
        k = options["neighbors"]
        needed = n * (8 * D + 300 * k + 4.5 * k ** 2)
    elif program == "laplacian_eigenmap" or program == "diffusion_map" and "neighbors" in options:
        needed = neighborhood(n, D, options["neighbors"])
    elif program == "diffusion_map":
        needed = 8 * n ** 2 + 2400 * n
    elif program == "isomap":
        pairs = n * options.get("landmarks", n)
        needed = (8 if pairs <= 4096 ** 2 else 4) * pairs + neighborhood(n, D, options["neighbors"])
    elif program == "tsne":
        needed = n * (12 * D + (270 if n <= 20000 else 170) * options.get("perplexity", 30))
    else:
        return None
    # What threads, stacks and the allocator take besides.
    return needed / 2 ** 20 + 1
