# SPDX-License-Identifier: Apache-2.0
"""Writes the files of this directory: runs each rule for 100 steps in NumPy.

Run as: python3 make_golden.py
A file holds the weights after the last step, followed by each array of the state.
"""
import math

import numpy as np

STEPS, ROWS, DIM = 100, 4, 20
f32 = np.float32
rng = np.random.default_rng(7)
weights = rng.normal(0, 0.5, (ROWS, DIM)).astype(f32)
touched = rng.random((STEPS, ROWS)) < 0.6
gradients = rng.normal(0, 1, (STEPS, ROWS, DIM)).astype(f32)
gradients[rng.random(gradients.shape) < 0.1] = 0


def norm(g):
    return np.sqrt(np.sum(g * g))


def by_norm(limit):
    return lambda g: g if norm(g) <= f32(limit) else g * f32(limit) / norm(g)


def by_value(limit):
    return lambda g: np.clip(g, f32(-limit), f32(limit))


def sgd(w, s, g, lr, t):
    w -= f32(lr) * g


def momentum(share):
    def rule(w, s, g, lr, t):
        s[0] = f32(share) * s[0] - f32(lr) * g
        w += s[0]
    return rule


def nesterov(share):
    def rule(w, s, g, lr, t):
        s[0] = f32(share) * s[0] - f32(lr) * g
        w += f32(share) * s[0] - f32(lr) * g
    return rule


def adagrad(epsilon):
    def rule(w, s, g, lr, t):
        s[0] += g * g
        w -= f32(lr) * g / np.sqrt(s[0] + f32(epsilon))
    return rule


def torch_adagrad(epsilon):
    def rule(w, s, g, lr, t):
        s[0] += g * g
        w -= f32(lr) * g / (np.sqrt(s[0]) + f32(epsilon))
    return rule


def row_wise(epsilon):
    def rule(w, s, g, lr, t):
        s[0] += np.sum(g * g) / f32(DIM)
        w -= f32(lr) / (np.sqrt(s[0]) + f32(epsilon)) * g
    return rule


def adam(beta1, beta2, epsilon):
    def rule(w, s, g, lr, t):
        alpha = f32(lr * math.sqrt(1 - beta2**t) / (1 - beta1**t))
        s[0] += (g - s[0]) * f32(1 - beta1)
        s[1] += (g * g - s[1]) * f32(1 - beta2)
        w -= s[0] * alpha / (np.sqrt(s[1]) + f32(epsilon))
    return rule


def adam_w(beta1, beta2, epsilon, decay):
    def rule(w, s, g, lr, t):
        s[0] += (g - s[0]) * f32(1 - beta1)
        s[1] += (g * g - s[1]) * f32(1 - beta2)
        pace = f32(lr / (1 - beta1**t))
        root = np.sqrt(s[1]) / f32(math.sqrt(1 - beta2**t)) + f32(epsilon)
        w[:] = w * f32(1 - lr * decay) - s[0] * pace / root
    return rule


def lamb(beta1, beta2, epsilon, decay):
    def rule(w, s, g, lr, t):
        s[0] += (g - s[0]) * f32(1 - beta1)
        s[1] += (g * g - s[1]) * f32(1 - beta2)
        root = np.sqrt(s[1]) / f32(math.sqrt(1 - beta2**t)) + f32(epsilon)
        change = s[0] / f32(1 - beta1**t) / root + f32(decay) * w
        trust = norm(w) / norm(change) if norm(w) > 0 and norm(change) > 0 else f32(1)
        w -= f32(lr) * trust * change
    return rule


def lion(beta1, beta2, decay):
    def rule(w, s, g, lr, t):
        direction = np.sign(f32(beta1) * s[0] + f32(1 - beta1) * g)
        s[0] = f32(beta2) * s[0] + f32(1 - beta2) * g
        w -= f32(lr) * (direction + f32(decay) * w)
    return rule


def adadelta(rho, epsilon):
    def rule(w, s, g, lr, t):
        s[0] = f32(rho) * s[0] + f32(1 - rho) * (g * g)
        change = np.sqrt(s[1] + f32(epsilon)) / np.sqrt(s[0] + f32(epsilon)) * g
        s[1] = f32(rho) * s[1] + f32(1 - rho) * (change * change)
        w -= f32(lr) * change
    return rule


def ftrl(l1, l2, beta, shrinkage=0):
    def rule(w, s, g, lr, t):
        n = s[0] + g * g
        sigma = (np.sqrt(n) - np.sqrt(s[0])) / f32(lr)
        pulled = g + f32(2 * shrinkage) * w if shrinkage else g
        s[1] += pulled - sigma * w
        s[0] = n
        fixed = f32(2 * l2 + beta / lr)
        w[:] = (np.clip(s[1], f32(-l1), f32(l1)) - s[1]) / (np.sqrt(n) / f32(lr) + fixed)
    return rule


def cosine(step):
    return 0.05 * ((1 - 0.1) * 0.5 * (1 + math.cos(math.pi * min(step, 80) / 80)) + 0.1)


def case(name, rule, lr, initial=(), l2=0.0, clip=lambda g: g):
    w = weights.copy()
    state = np.stack([np.full((ROWS, DIM), v, f32) for v in initial]) if initial else np.empty((0, ROWS, DIM), f32)
    for step in range(STEPS):
        for row in np.flatnonzero(touched[step]):
            g = gradients[step, row]
            g = clip(g + f32(l2) * w[row] if l2 else g)
            own = state[:, row].copy()
            rule(w[row], own, g, lr(step) if callable(lr) else lr, step + 1)
            state[:, row] = own
    np.save(f"{name}.npy", np.concatenate([w[None], state]))


case("sgd", sgd, 0.05)
case("sgd_l2", sgd, 0.05, l2=0.01)
case("sgd_value", sgd, 0.05, clip=by_value(0.5))
case("sgd_norm", sgd, 0.05, clip=by_norm(4))
case("sgd_l2_norm", sgd, 0.05, l2=0.3, clip=by_norm(4))
case("sgd_warm_exponential", sgd, lambda s: 0.01 + (0.1 - 0.01) * s / 10 if s < 10 else 0.1 * 0.5 ** ((s - 10) / 30))
case("sgd_inverse", sgd, lambda s: 0.1 / (1 + 0.5 * s / 20))
case("sgd_piecewise", sgd, lambda s: 0.1 if s <= 10 else 0.03 if s <= 60 else 0.01)
case("momentum", momentum(0.9), 0.01, [0])
case("nesterov", nesterov(0.9), 0.01, [0], l2=0.001)
case("adagrad", adagrad(1e-7), 0.1, [0.1])
case("adagrad_options", adagrad(1e-3), 0.1, [0.5], clip=by_norm(3))
case("adagrad_torch", torch_adagrad(1e-3), 0.1, [0], l2=0.01)
case("row_wise", row_wise(1e-8), 0.1, [0])
case("row_wise_options", row_wise(1e-4), 0.1, [0.2], l2=0.01, clip=by_value(1))
case("adam", adam(0.9, 0.999, 1e-7), 0.001, [0, 0])
case("adam_options", adam(0.8, 0.99, 1e-4), cosine, [0, 0], l2=0.01, clip=by_norm(3))
case("adam_w", adam_w(0.9, 0.999, 1e-8, 0.01), 0.001, [0, 0])
case("adam_w_options", adam_w(0.8, 0.99, 1e-4, 0.2), cosine, [0, 0], l2=0.01, clip=by_norm(3))
case("lamb", lamb(0.9, 0.999, 1e-7, 0), 0.01, [0, 0])
case("lamb_options", lamb(0.8, 0.99, 1e-4, 0.2), cosine, [0, 0], l2=0.01, clip=by_norm(3))
case("lion", lion(0.9, 0.99, 0), 0.001, [0])
case("lion_options", lion(0.6, 0.8, 0.2), cosine, [0], l2=0.01, clip=by_value(1))
case("adadelta", adadelta(0.95, 1e-7), 1, [0, 0])
case("adadelta_options", adadelta(0.8, 1e-3), 0.5, [0, 0], l2=0.01, clip=by_value(1))
case("ftrl", ftrl(0, 0, 0), 0.05, [0.1, 0])
case("ftrl_shrinkage", ftrl(0.1, 0.2, 0.5, shrinkage=0.05), 0.1, [0.1, 0])
case("ftrl_options", ftrl(0.4, 0.1, 1), 0.2, [0, 0], l2=0.01, clip=by_value(1))
np.save("weights.npy", weights)
np.save("touched.npy", touched)
np.save("gradients.npy", gradients)
values = rng.normal(0, 1, 300).astype(f32)
np.save("squares.npy", values)
np.save("squares_sums.npy", np.array([np.sum(values[:n] * values[:n]) for n in range(301)], f32))
