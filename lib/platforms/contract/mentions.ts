import type { PlatformTools } from './tools.ts';

/** A person or an organization that a text can mention. */
export interface Mention {
  readonly kind: 'organization' | 'person';
  readonly name: string;
  /** A line that tells people of the same name apart. */
  readonly description: string | null;
  /** The text that mentions it, to put into the content of a post. */
  readonly text: string;
}

export interface MentionSearch {
  readonly query: string;
  readonly accessToken: string;
  readonly account: { readonly platformAccountId: string; readonly scopes?: readonly string[] | undefined };
}

/** Finds whom a post of the account can mention. */
export interface MentionPlatform {
  /** Returns why an account cannot look anybody up, and what helps; undefined if it can. */
  lack(account: MentionSearch['account']): string | undefined;
  /** Returns the best matches, as the platform has them now. @throws PlatformError */
  find(search: MentionSearch, tools: PlatformTools): Promise<Mention[]>;
}
