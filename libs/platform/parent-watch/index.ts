/**
 * Calls back once when the process that started this one is gone, also when it was killed and could send no signal:
 * then the channel between the two is cut. A process that was started without a channel has nobody to follow.
 */
export const whenParentGone = (action: () => void): void => {
  if (process.connected) process.once('disconnect', action);
};
