const IN_ONE = 65_536;

/** Which ids there were, a bit for each: they are given out one after the other, and there may be millions. */
export const createIds = () => {
  const parts = new Map<number, Uint8Array>();
  const placeOf = (id: number) => {
    const [part, at] = [Math.floor(id / IN_ONE), id % IN_ONE];
    return { part, byte: at >> 3, bit: 1 << (at & 7) };
  };
  return {
    add: (id: number): void => {
      const { part, byte, bit } = placeOf(id);
      const bits = parts.get(part) ?? new Uint8Array(IN_ONE / 8);
      bits[byte] = (bits[byte] ?? 0) | bit;
      parts.set(part, bits);
    },
    has: (id: number): boolean => {
      const { part, byte, bit } = placeOf(id);
      return ((parts.get(part)?.[byte] ?? 0) & bit) !== 0;
    },
  };
};
