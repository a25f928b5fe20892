import type { readMeOperation } from '../../people/operations.ts';
import type { ApiError } from './api-error.ts';
import type { ReplyOf } from './operation-types.ts';
import { createStore } from './store.ts';
import { read, remove, write } from './stored.ts';

export type Me = ReplyOf<typeof readMeOperation>;

/** The reason to sign in: the session has ended, or an operation needs a recent sign-in. */
export type Reason = 'ended' | 'again';

export interface SessionState {
  /** The person who was signed in when the page was loaded. */
  readonly me: Me | undefined;
  /** Set while a dialog asks the person to sign in. */
  readonly asks: Reason | undefined;
  /** True if the session has ended and nobody has signed in again. */
  readonly isEnded: boolean;
}

type Message = { readonly kind: 'signed-in' | 'signed-out' };

const state = createStore<SessionState>({ me: undefined, asks: undefined, isEnded: false });
const update = (changes: Partial<SessionState>) => state.set({ ...state.get(), ...changes });

let waiting: { readonly promise: Promise<boolean>; readonly settle: (renewed: boolean) => void } | undefined;

const channel = new BroadcastChannel('session');
channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'signed-in') void session.check();
  else if (state.get().me !== undefined) update({ isEnded: true });
});

/** The session of the person, as far as the page knows it. */
export const session = {
  store: state,

  /** The page has read who is signed in. */
  begin(me: Me): void {
    const { me: before } = state.get();
    // Somebody else may have signed in in another tab. Nothing of the person before may stay on the page.
    if (before !== undefined && before.person.id !== me.person.id) location.assign('/');
    else update({ me, ...(state.get().asks !== 'again' && { asks: undefined, isEnded: false }) });
  },

  /**
   * Asks the person to sign in, once for all requests that wait for it.
   *
   * @returns whether the request can be sent again
   */
  async renew(error: ApiError, { isBackground = false }): Promise<boolean> {
    const { me, asks, isEnded } = state.get();
    // Before the page knows a person, it shows the greeting instead.
    if (me === undefined) return false;
    const reason: Reason = error.status === 401 ? 'ended' : 'again';
    if (reason === 'ended' && isBackground && isEnded && asks === undefined) return false;
    if (reason === 'ended') update({ isEnded: true });
    if (asks === undefined || reason === 'ended') update({ asks: reason });
    waiting ??= newWait();
    return waiting.promise;
  },

  /** Opens the dialog again after it was closed. */
  ask(): void {
    update({ asks: 'ended' });
  },

  /** The person has closed the dialog. What waited fails, and can be sent again by hand. */
  dismiss(): void {
    update({ asks: undefined });
    finish(false);
  },

  /**
   * Looks whether the person has signed in meanwhile. The window that signs in says so, but a browser may keep the two windows apart.
   */
  async check(): Promise<void> {
    const { me, asks } = state.get();
    if (me === undefined) return;
    const now = await fetchMe();
    if (now === undefined) return;
    if (now.person.id !== me.person.id) return location.assign('/');
    if (asks === 'again' && now.session.signedInAt <= me.session.signedInAt) return;
    update({ me: now, asks: undefined, isEnded: false });
    finish(true);
  },

  /** Tells the other windows of this browser. */
  announce(kind: Message['kind']): void {
    channel.postMessage({ kind } satisfies Message);
  },
};

function newWait() {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return { promise, settle: resolve };
}

function finish(renewed: boolean): void {
  const before = waiting;
  waiting = undefined;
  before?.settle(renewed);
}

/** Not with `call`, which would ask the person to sign in. */
async function fetchMe(): Promise<Me | undefined> {
  try {
    const response = await fetch('/api/panel/me', { signal: AbortSignal.timeout(10_000) });
    return response.ok ? ((await response.json()) as Me) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the address at which a sign-in begins. The browser goes there; it is no request of the page. */
export function signInUrl(returnTo: string, again = false): string {
  const query = new URLSearchParams({ returnTo, ...(again && { again: 'true' }) });
  return `/api/panel/sign-in?${query}`;
}

const windowFeatures = 'popup,width=480,height=720';
const windowMark = 'is-sign-in-window';
const ofTab = () => sessionStorage;

/**
 * Opens the sign-in in a window of its own. The window gets a copy of this tab's session storage, by which {@link isSignInWindow} knows
 * it: on its way over the identity provider it loses its name and its opener.
 *
 * @returns whether the browser allowed it
 */
export function openSignIn(url: string): boolean {
  write(ofTab, windowMark, 'yes');
  const opened = window.open(url, '_blank', windowFeatures);
  remove(ofTab, windowMark);
  return opened !== null;
}

export const isSignInWindow = (): boolean => read(ofTab, windowMark) !== undefined;

const personName = 'signed-out-person';

/** Remembers in this tab who signs out, also while the browser is at the identity provider. */
export const rememberSignedOut = (personId: string): void => write(ofTab, personName, personId);

/** The id of the person who was the last one to sign out in this tab. */
export const signedOutPerson = (): string | undefined => read(ofTab, personName);
