export type Growth = {
  readonly firstMs?: number;
  readonly mostMs?: number;
  readonly factor?: number;
  /** How much of a pause chance may take off, so that many who failed together do not come back together. */
  readonly scatter?: number;
};

/** How long to leave alone what has failed so many times before, the first time 0. */
export const growingPause =
  ({ firstMs = 50, mostMs = 2_000, factor = 2, scatter = 0.5 }: Growth = {}) =>
  (failures: number): number =>
    Math.min(mostMs, firstMs * factor ** failures) * (1 - scatter * Math.random());
