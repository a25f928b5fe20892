/** Who may sign in at the identity provider. */
export interface Directory {
  /**
   * Lets the owner of an email address sign in. Idempotent. It does nothing if the team has an identity provider of its own.
   *
   * @param email as `EmailAddress` returns it
   */
  readonly admit: (email: string) => Promise<void>;
}

/** For a team with an identity provider of its own, which knows its people. */
export const noDirectory: Directory = { admit: async () => {} };
