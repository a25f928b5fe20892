import * as z from 'zod';
import type { Platform } from './names.ts';

/**
 * A part of Herald's work on a platform that an operator may leave out, because the platform grants its scopes
 * separately. Each platform's own table (`lib/platforms/<platform>/features.ts`) says which features it has.
 *
 * - `publish`: connect accounts, publish, look up and complete posts. Always on.
 * - `comments`: first comments; read, answer and approve comments.
 * - `messages`: private messages of comment automations.
 * - `captions`: add caption tracks to a video.
 * - `playlists`, `boards`: put a post into one; list or create them.
 * - `secretBoards`: see boards that only the person can see, and put posts on them.
 * - `drafts`: put a post into the person's inbox on the platform, without publishing it.
 * - `businessPages`: Facebook Pages that a business owns.
 * - `postSearch`: find a post by its text, if the response to the call that made it live was lost.
 * - `profile`: the account's username.
 * - `removal`: delete live posts, where `publish` does not include that.
 * - `insights`: read the numbers of posts and accounts. Off unless the stage names it: every platform reviews it.
 */
export const Feature = z
  .enum([
    'publish',
    'comments',
    'messages',
    'playlists',
    'captions',
    'boards',
    'secretBoards',
    'drafts',
    'businessPages',
    'postSearch',
    'profile',
    'removal',
    'insights',
  ])
  .meta({ id: 'Capability' });
export type Feature = z.infer<typeof Feature>;

/** The features of a platform, or of one kind of account on it, with the scopes that each needs. */
export interface PlatformFeatures {
  /** The scopes of each feature. Only those of `publish` are required of a login. Features may share scopes. */
  readonly scopes: { readonly publish: readonly string[] } & Readonly<
    Partial<Record<Feature, readonly string[]>>
  >;
  /**
   * Features whose scopes are requested only if the stage names the feature: many apps are not approved for them, and one scope that
   * an app does not have makes every login fail. Absent: none.
   */
  readonly onRequest?: readonly Feature[];
  /** The scopes of accounts that were connected before accounts recorded their own. */
  readonly formerScopes: readonly string[];
}

/** The features that an operator has chosen for a stage. An absent platform has all of its features, and asks for the usual ones. */
export type StageFeatures = Readonly<Partial<Record<Platform, readonly Feature[]>>>;

/** Features that are off unless the stage names them, whatever their scopes. */
const offUnlessNamed: readonly Feature[] = ['insights'];

/** Returns the features that are on. @param chosen the stage's choice; absent: all usual ones. `publish` is always on */
export function enabledFeatures(features: PlatformFeatures, chosen?: readonly Feature[]): Feature[] {
  return namesOf(features).filter(
    (name) =>
      name === 'publish' || (chosen === undefined ? !offUnlessNamed.includes(name) : chosen.includes(name)),
  );
}

/** Returns the features that are requested when an account is connected. @param chosen as above */
export function requestedFeatures(features: PlatformFeatures, chosen?: readonly Feature[]): Feature[] {
  const { onRequest = [] } = features;
  return enabledFeatures(features, chosen).filter(
    (name) => chosen !== undefined || !onRequest.includes(name),
  );
}

/** Returns the scopes to request when an account is connected. @param chosen as above */
export function scopesToRequest(features: PlatformFeatures, chosen?: readonly Feature[]): string[] {
  const wanted = requestedFeatures(features, chosen).flatMap((name) => features.scopes[name] ?? []);
  return [...new Set(wanted)];
}

/** Returns the features for which all scopes are granted. @param scopes the granted scopes */
export function grantedFeatures(features: PlatformFeatures, scopes: readonly string[]): Feature[] {
  return namesOf(features).filter((name) => features.scopes[name]?.every((scope) => scopes.includes(scope)));
}

/** Returns the names of a platform's features. */
export const namesOf = ({ scopes }: PlatformFeatures): Feature[] =>
  Feature.options.filter((name) => scopes[name] !== undefined);
