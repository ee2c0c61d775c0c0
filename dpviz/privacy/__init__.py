"""The only place that converts or calibrates epsilon, delta, rho, mu and sigma. Wraps autodp.

Adjacency is add-or-remove of one record unless a guarantee says otherwise. Every calibrated amount
of noise is rounded to the private side, and ``check`` recomputes a plan's cost before anything is
fitted.

Source: Dong, Roth & Su 2019 (GDP); Bun & Steinke 2016 (zCDP); arXiv 2510.25746 (the exponential
mechanism in zCDP, exactly); Balle & Wang 2018 (exact Gaussian).
"""

from dpviz.privacy.best_guess import at_best_guess, success_bound
from dpviz.privacy.claims import claimed_guarantee
from dpviz.privacy.compose import (
    ADD_REMOVE,
    CLASSES_PUBLIC,
    ENCODER_PUBLIC,
    REPLACE_IN_CLASS,
    check,
    event_mu,
    event_rho,
    guarantee,
    make_plan,
    no_guarantee,
    nothing_private,
    proved,
    scaled_event,
)
from dpviz.privacy.convert import (
    PRIVATE_SIDE,
    allowed_rho,
    bounded_range_epsilon,
    bounded_range_rho,
    exponential_epsilon,
    exponential_epsilon_for,
    gaussian,
    gdp_epsilon,
    gdp_mu,
    guess_of_mu,
    mu_for,
    rho_for,
    zcdp_epsilon,
    zcdp_epsilon_simple,
    zcdp_rho,
)
from dpviz.privacy.objective_perturbation import calibrated as calibrated_minimiser
from dpviz.privacy.persons import ADD_REMOVE_PERSON, REPLACE_PERSON, for_persons, to_person
from dpviz.privacy.randomised_response import (
    COIN_STEPS,
    belief_bound,
    coin_epsilon,
    coin_threshold,
    count_reach,
    honesty_threshold,
    one_answer,
    response_epsilon,
    response_honesty,
)
from dpviz.privacy.sampled import sampled_epsilon, sampled_gaussian

__all__ = [
    "ADD_REMOVE",
    "ADD_REMOVE_PERSON",
    "CLASSES_PUBLIC",
    "COIN_STEPS",
    "ENCODER_PUBLIC",
    "PRIVATE_SIDE",
    "REPLACE_IN_CLASS",
    "REPLACE_PERSON",
    "allowed_rho",
    "at_best_guess",
    "belief_bound",
    "bounded_range_epsilon",
    "bounded_range_rho",
    "calibrated_minimiser",
    "check",
    "claimed_guarantee",
    "coin_epsilon",
    "coin_threshold",
    "count_reach",
    "event_mu",
    "event_rho",
    "exponential_epsilon",
    "exponential_epsilon_for",
    "for_persons",
    "gaussian",
    "gdp_epsilon",
    "gdp_mu",
    "guarantee",
    "guess_of_mu",
    "honesty_threshold",
    "make_plan",
    "mu_for",
    "no_guarantee",
    "nothing_private",
    "one_answer",
    "proved",
    "response_epsilon",
    "response_honesty",
    "rho_for",
    "sampled_epsilon",
    "sampled_gaussian",
    "scaled_event",
    "success_bound",
    "to_person",
    "zcdp_epsilon",
    "zcdp_epsilon_simple",
    "zcdp_rho",
]
