type TearDown = () => Promise<void>;

const held = globalThis as { cointillTearDown?: TearDown };

/** Jest may load the two ends of a run as two copies of a module: what they share lies outside of both. */
export const keepForTeardown = (action: TearDown): void => {
  let done: Promise<void> | undefined;
  held.cointillTearDown = () => {
    done ??= action();
    return done;
  };
};

export const tearDown = async (): Promise<void> => held.cointillTearDown?.();

export default tearDown;
