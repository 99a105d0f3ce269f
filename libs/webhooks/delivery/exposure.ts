/**
 * What a kill of this process would send again: what has just started and may have arrived, and what is answered and not
 * stored. There is never more of it than `most`, so quick endpoints are given no more than is stored as fast. What takes
 * long hangs at its endpoint and holds up nobody else.
 */
export type Exposure = {
  readonly isFull: () => boolean;
  /** An attempt starts; its end and its storing are told through what is returned. */
  readonly begin: () => { readonly answered: () => void; readonly stored: () => void };
};

export type ExposureLimits = {
  readonly most: number;
  /** So long an attempt counts that is not answered. */
  readonly youngMs: number;
};

export const createExposure = ({ most, youngMs }: ExposureLimits, onRoom: () => void): Exposure => {
  let exposed = 0;
  const leave = (): void => {
    exposed -= 1;
    if (exposed === most - 1) onRoom();
  };
  return {
    isFull: () => exposed >= most,
    begin: () => {
      let counts = true;
      exposed += 1;
      const old = setTimeout(() => {
        counts = false;
        leave();
      }, youngMs);
      return {
        answered: () => {
          clearTimeout(old);
          if (!counts) exposed += 1;
          counts = true;
        },
        stored: () => {
          clearTimeout(old);
          if (counts) leave();
          counts = false;
        },
      };
    },
  };
};
