import * as z from 'zod';
/**
 * A part of what Herald does on a platform that an operator may leave out, because the platform grants its scopes
 * separately. Each platform's own table (`lib/platforms/<platform>/features.ts`) says which features it has.
 *
 * - `publish`: connect accounts, publish, look up and complete posts. Always on.
 * - `comments`: first comments; read, answer and approve comments.
 * - `messages`: private messages of comment automations.
 * - `playlists`, `boards`: put a post into one; list or create them.
 * - `drafts`: put a post into the person's inbox on the platform, without publishing it.
 * - `businessPages`: Facebook Pages that a business owns.
 * - `postSearch`: find a post by its text, if the response to the call that made it live was lost.
 * - `profile`: the account's username.
 */
export const Feature = z
    .enum([
    'publish',
    'comments',
    'messages',
    'playlists',
    'boards',
    'drafts',
    'businessPages',
    'postSearch',
    'profile',
])
    .meta({ id: 'Capability' });
/** The features that are on. @param chosen the stage's choice; absent: all. `publish` is always on */
export function enabledFeatures(features, chosen) {
    return namesOf(features).filter((name) => name === 'publish' || chosen === undefined || chosen.includes(name));
}
/** The scopes to request when an account is connected. @param chosen as above */
export function scopesToRequest(features, chosen) {
    const wanted = enabledFeatures(features, chosen).flatMap((name) => features.scopes[name] ?? []);
    return [...new Set(wanted)];
}
/** The features whose scopes are all granted. @param scopes the granted scopes */
export function grantedFeatures(features, scopes) {
    return namesOf(features).filter((name) => features.scopes[name]?.every((scope) => scopes.includes(scope)));
}
/** The names of a platform's features. */
export const namesOf = ({ scopes }) => Feature.options.filter((name) => scopes[name] !== undefined);
