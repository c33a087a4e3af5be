    def read(row, i):
        x = row[inputs[i]]
        if levels[i] is None:
            return nan if x is None else float(x)
        x = str(x).upper() if isinstance(x, bool) else x
        return levels[i].index(x) + 1 if x in levels[i] else nan
