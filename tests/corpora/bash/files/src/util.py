def double(value):
    return value * 2  # TODO: types
