import sys


def _value(t):
    return None if t == "_" else bytes.fromhex(t[1:]).decode("utf-8") if t[0] == "h" else float(t)


for _line in sys.stdin:
    _tokens = _line.rstrip("\n").split("\t")
    _p = @NAME@({n: _value(t) for n, t in zip(@NAME@.inputs, _tokens)})
    _label = "_" if _p["prob"] is None else "h" + _p["response"].encode("utf-8").hex()
    _scores = [_p["response"]] if _p["prob"] is None else _p["prob"]
    print("\t".join([str(_p["node"]), _label] + [repr(float(s)) for s in _scores]))
