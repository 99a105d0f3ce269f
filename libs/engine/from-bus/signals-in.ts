const isList = (message: unknown): message is { readonly signals: readonly unknown[] } =>
  typeof message === 'object' && message !== null && 'signals' in message && Array.isArray(message.signals);

/** The signals of one message: one object, or a list of them as HTTP takes it. Undefined when it is no JSON. */
export const signalsIn = (value: string): readonly unknown[] | undefined => {
  try {
    const message: unknown = JSON.parse(value);
    return isList(message) ? message.signals : [message];
  } catch {
    return undefined;
  }
};
