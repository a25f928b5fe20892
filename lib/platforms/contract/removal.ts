import type { PublishJob } from './adapter.ts';
import type { Feature } from './features.ts';

/** A live post to delete. */
export interface RemovedPost extends Pick<PublishJob, 'account' | 'accessToken'> {
  readonly platformPostId: string;
}

/** The outcome of a deletion: the platform has deleted the post, or does not have it any more. */
export type Deletion = 'deleted' | 'gone';

/** Who can delete a live post: this service, if the account has the feature; or only a person at the platform. */
export type RemovalWay =
  | { readonly by: 'service'; readonly feature: Feature }
  | { readonly by: 'person'; readonly why: string };
