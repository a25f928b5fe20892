/** The people who may sign in at the identity provider. */
export interface Directory {
  /**
   * Lets the owner of an email address sign in. Idempotent. Does nothing if the team has its own identity provider.
   *
   * @param email as `EmailAddress` returns it
   */
  readonly admit: (email: string) => Promise<void>;
}

/** The directory of a team with its own identity provider, which knows its people. */
export const noDirectory: Directory = { admit: async () => {} };
