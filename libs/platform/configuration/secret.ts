const names = new Set<string>();

/** What carries a password or a key: no message repeats it, and instead of `X` a file may hold it (`X_FILE`). */
export const Secret: PropertyDecorator = (_, property) => {
  names.add(String(property));
};

export const secretNames: ReadonlySet<string> = names;
