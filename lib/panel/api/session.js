import { createStore } from './store.ts';
import { read, remove, write } from './stored.ts';
const state = createStore({ me: undefined, asks: undefined, isEnded: false });
const update = (changes) => state.set({ ...state.get(), ...changes });
let waiting;
const channel = new BroadcastChannel('session');
channel.addEventListener('message', ({ data }) => {
    if (data.kind === 'signed-in')
        void session.check();
    else if (state.get().me !== undefined)
        update({ isEnded: true });
});
/** The session of the person, as far as the page knows it. */
export const session = {
    store: state,
    /** The page has read who is signed in. */
    begin(me) {
        const { me: before } = state.get();
        // Somebody else may have signed in in another tab. Nothing of the person before may stay on the page.
        if (before !== undefined && before.person.id !== me.person.id)
            location.assign('/');
        else
            update({ me, ...(state.get().asks !== 'again' && { asks: undefined, isEnded: false }) });
    },
    /**
     * Asks the person to sign in, once for all requests that wait for it.
     *
     * @returns whether the request can be sent again
     */
    async renew(error, { isBackground = false }) {
        const { me, asks, isEnded } = state.get();
        // Before the page knows a person, it shows the greeting instead.
        if (me === undefined)
            return false;
        const reason = error.status === 401 ? 'ended' : 'again';
        if (reason === 'ended' && isBackground && isEnded && asks === undefined)
            return false;
        if (reason === 'ended')
            update({ isEnded: true });
        if (asks === undefined || reason === 'ended')
            update({ asks: reason });
        waiting ??= newWait();
        return waiting.promise;
    },
    /** Opens the dialog again after it was closed. */
    ask() {
        update({ asks: 'ended' });
    },
    /** The person has closed the dialog. What waited fails, and can be sent again by hand. */
    dismiss() {
        update({ asks: undefined });
        finish(false);
    },
    /**
     * Looks whether the person has signed in meanwhile. The window that signs in says so, but a browser may keep the two windows apart.
     */
    async check() {
        const { me, asks } = state.get();
        if (me === undefined)
            return;
        const now = await fetchMe();
        if (now === undefined)
            return;
        if (now.person.id !== me.person.id)
            return location.assign('/');
        if (asks === 'again' && now.session.signedInAt <= me.session.signedInAt)
            return;
        update({ me: now, asks: undefined, isEnded: false });
        finish(true);
    },
    /** Tells the other windows of this browser. */
    announce(kind) {
        channel.postMessage({ kind });
    },
};
function newWait() {
    const { promise, resolve } = Promise.withResolvers();
    return { promise, settle: resolve };
}
function finish(renewed) {
    const before = waiting;
    waiting = undefined;
    before?.settle(renewed);
}
/** Not with `call`, which would ask the person to sign in. */
async function fetchMe() {
    try {
        const response = await fetch('/api/panel/me', { signal: AbortSignal.timeout(10000) });
        return response.ok ? (await response.json()) : undefined;
    }
    catch {
        return undefined;
    }
}
/** Where a sign-in begins. The browser goes there; it is no request of the page. */
export function signInUrl(returnTo, again = false) {
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
export function openSignIn(url) {
    write(ofTab, windowMark, 'yes');
    const opened = window.open(url, '_blank', windowFeatures);
    remove(ofTab, windowMark);
    return opened !== null;
}
export const isSignInWindow = () => read(ofTab, windowMark) !== undefined;
