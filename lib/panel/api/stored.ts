/**
 * A browser's storage that never throws: it may be full or forbidden. Nothing in it is secret, and nothing breaks without it.
 */
export const read = (storage: () => Storage, name: string): string | undefined => {
  try {
    return storage().getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
};

export const write = (storage: () => Storage, name: string, value: string): void => {
  try {
    storage().setItem(name, value);
  } catch {
    // What is not kept is asked again.
  }
};

export const remove = (storage: () => Storage, name: string): void => {
  try {
    storage().removeItem(name);
  } catch {
    // Then it was not kept either.
  }
};
