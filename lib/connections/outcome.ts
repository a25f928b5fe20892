import type { Account } from '../accounts/schemas.ts';
import { sha256 } from '../kernel/ids.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { ConnectionError } from './errors.ts';
import { type BrowserPorts, pageUrl, type Visit } from './ports.ts';
import type { RedirectResult } from './redirect-url.ts';
import type { Candidate } from './schemas.ts';
import type { Found, Unusable } from './store.ts';

/** A workspace as our pages name it. Several may have the same name. */
export interface NamedWorkspace {
  readonly id: string;
  readonly name: string;
}

/** The result of a browser's visit. */
export type ConnectionOutcome =
  /** Shows who asks for what, before the user leaves for the platform. */
  | {
      readonly kind: 'introduction';
      readonly platform: Platform;
      readonly state: string;
      readonly workspace: NamedWorkspace;
      readonly redirectUrl: string | undefined;
      /** The target of the page's form. */
      readonly platformUrl: string;
    }
  /** The browser continues at this URL, and keeps the secret in a cookie. */
  | { readonly kind: 'continue'; readonly url: string; readonly browserSecret: string }
  | ChoiceOutcome
  | {
      readonly kind: 'connected';
      readonly accounts: readonly Account[];
      /** See {@link ChoiceOutcome}. */
      readonly lost: readonly Account[];
      readonly workspace: NamedWorkspace;
      readonly redirectUrl: string | undefined;
    }
  /** The client's backend must claim the accounts with this one-time code. */
  | { readonly kind: 'chosen'; readonly code: string; readonly state: string; readonly redirectUrl: string }
  /** The browser has confirmed before and is redirected as it was then. */
  | { readonly kind: 'confirmed before'; readonly redirectUrl: string; readonly result: RedirectResult }
  | {
      readonly kind: 'refused';
      readonly error: ConnectionError;
      readonly platform: Platform;
      readonly redirectUrl: string | undefined;
    }
  /** Nothing happened. Never leads to a `redirectUrl`: the author of the link could send people anywhere. */
  | {
      readonly kind: 'unusable';
      readonly why: Unusable | 'foreign form' | 'completed';
      /** The URL at which this browser can continue, if the attempt waits for it. */
      readonly continueAt?: string | undefined;
    };

/** Shows the accounts, and asks for confirmation. */
export interface ChoiceOutcome {
  readonly kind: 'choose';
  readonly platform: Platform;
  readonly state: string;
  readonly workspace: NamedWorkspace;
  readonly candidates: readonly Candidate[];
  /** The accounts of the same person in the workspace that the login no longer allows. */
  readonly lost: readonly Account[];
  readonly redirectUrl: string | undefined;
  /** The problem with the previous choice. */
  readonly problem?: string;
}

/** Returns the outcome of a visit to an attempt that this browser cannot continue. The attempt's own browser learns its state. */
export function refuseVisit(
  ports: Pick<BrowserPorts, 'publicBaseUrl' | 'now'>,
  { state: why, connection }: Extract<Found, { readonly state: Unusable }>,
  { state, browserSecret }: Pick<Visit, 'state' | 'browserSecret'>,
): ConnectionOutcome {
  const isOwnBrowser = browserSecret !== undefined && connection?.browserDigest === sha256(browserSecret);
  if (why !== 'used' || !connection || !isOwnBrowser) return { kind: 'unusable', why };
  const { status, platform, usedAt, expiresAt } = connection;
  if (status === 'connected' || status === 'chosen') return { kind: 'unusable', why: 'completed' };
  // People reload the page while the code is exchanged.
  const isReturning = status === 'pending' && usedAt !== undefined;
  const isOpen = (status === 'choosing' || isReturning) && Date.parse(expiresAt) > ports.now;
  return {
    kind: 'unusable',
    why,
    continueAt: isOpen ? pageUrl(ports, 'choose', platform, state) : undefined,
  };
}
