import type { Feature } from './features.ts';

/** The way to delete a live post: this service, if the account has the feature; or only a person at the platform. */
export type RemovalWay =
  | { readonly by: 'service'; readonly feature: Feature }
  | { readonly by: 'person'; readonly why: string };
