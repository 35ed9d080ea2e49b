"""Computes the numbers that StatisticsTests.swift compares with: python3 Tests/Laboratory/ComparisonTests/known-answers.py

It was run with Python 3.11, SciPy 1.17.1, NumPy and statsmodels 0.14. The tests contain its output.
"""

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests

TEN = [0.31, -0.12, 0.44, 0.25, 0.07, 0.52, -0.03, 0.18, 0.29, 0.40]
SEVEN = [1.2, 0.9, 1.1, 1.4, 0.8, 1.3, 1.0]
TIED = [0.0, 0.0, 1.0, 1.0, -1.0, 2.0, 0.0, 1.0]
P = [0.012, 0.00195, 0.34, 0.021, 0.00195]



def signed_ranks(values):
    """Wilcoxon's statistic for a sample, along the last axis."""
    return np.sum(np.sign(values) * stats.rankdata(np.abs(values), axis=-1), axis=-1)


for name, values in [("ten", TEN), ("seven", SEVEN), ("tied", TIED)]:
    test = stats.permutation_test(
        (np.array([v for v in values if v != 0]),), lambda x, axis=-1: signed_ranks(x), permutation_type="samples",
        alternative="two-sided", n_resamples=np.inf)
    print(name, "sign-flip p", repr(float(test.pvalue)), "median", float(np.median(values)))

many = [i * (1 if i % 3 else -1) for i in range(1, 21)]
print("many", float(stats.wilcoxon(many, method="exact").pvalue))

for count in (5, 6, 7, 10, 20, 31):
    # The largest rank whose interval still covers 95 %: 1 - 2 P(fewer than rank successes in `count` tosses of a coin).
    ranks = [(r, 1 - 2 * stats.binom.cdf(r - 1, count, 0.5)) for r in range(1, (count + 1) // 2 + 1)]
    print(count, [(r, float(c)) for r, c in ranks if c >= 0.95][-1:])

# SciPy's test of a quantile gives the same ends.
interval = stats.quantile_test(TEN, q=0, p=0.5).confidence_interval(0.95)
print("quantile_test", float(interval.low), float(interval.high))

print("holm", [float(p) for p in multipletests(P, method="holm")[1]])

SAMPLES = [((i * 37) % 1009) / 10 for i in range(1000)]
print("percentiles", [float(np.percentile(SAMPLES, p, method="inverted_cdf")) for p in (50, 95, 99)])
