"""The trusted part: small, pure, and the only one that decides what is evidence and what is published.

    exact       plugin values taken apart and built again          urls, domains, times, spans, indices, vectors, counts
    derivation  fields recomputed from bytes                        one rule each, for one kind of value
    admission   items and stored bytes become documents             unicode -> folds, boundaries -> sentences -> quotes
    run         what was asked and admitted, and the seal           a quote confirmed at its place
    prose       what a model's words must bring                     report     what each part of a report must be
    policy      the tables behind the rules, fingerprinted          recheck    a report compared with what it must be
    canonical   one spelling for one value                          exit       the only way out
    texts       the kernel's own words

It imports the standard library, pydantic and the contract. Whoever searches, fetches, phrases or draws is outside, and is not believed.
"""
