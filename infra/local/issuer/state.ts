/** What the issuer remembers, in memory: a restart signs everybody out at the issuer. */
import { randomBytes } from 'node:crypto';
import type { Person } from './types.ts';

/** What a person has agreed to. */
export interface Grant {
  readonly clientId: string;
  readonly person: Person;
  readonly scopes: readonly string[];
  readonly nonce: string | undefined;
  /** When the person signed in, in epoch milliseconds. */
  readonly signedInAt: number;
}

/** An authorization code. */
export interface Code {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly expiresAt: number;
  /** The access token that it was exchanged for. */
  readonly accessToken?: string;
  readonly isUsed: boolean;
}

/** A browser in which a person has signed in. */
export interface BrowserSession {
  readonly person: Person;
  /** Epoch milliseconds. */
  readonly signedInAt: number;
  readonly expiresAt: number;
}

export interface AccessToken {
  readonly grant: Grant;
  readonly expiresAt: number;
}

/** Values found by an unguessable name, until they expire. */
export interface Expiring<Value extends { readonly expiresAt: number }> {
  /** @returns the new name: 256 random bits */
  add(value: Value): string;
  find(name: string | undefined, at: number): Value | undefined;
  replace(name: string, value: Value): void;
  remove(name: string | undefined): void;
}

function openExpiring<Value extends { readonly expiresAt: number }>(): Expiring<Value> {
  const values = new Map<string, Value>();
  return {
    add(value) {
      const name = randomBytes(32).toString('base64url');
      values.set(name, value);
      return name;
    },
    find(name, at) {
      const value = values.get(name ?? '');
      return value !== undefined && value.expiresAt > at ? value : undefined;
    },
    replace: (name, value) => void values.set(name, value),
    remove: (name) => void values.delete(name ?? ''),
  };
}

export interface State {
  readonly browsers: Expiring<BrowserSession>;
  readonly codes: Expiring<Code>;
  readonly accessTokens: Expiring<AccessToken>;
}

export function openState(): State {
  return {
    browsers: openExpiring(),
    codes: openExpiring(),
    accessTokens: openExpiring(),
  };
}
