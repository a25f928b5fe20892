/**
 * The one who has to act before a destination can succeed:
 * - `retryable`: nobody. Herald tries again at `retryAt`, or a person may ask for another try;
 * - `reconnect`: the account's owner connects the account again;
 * - `content`: the user changes the post or its files;
 * - `platform`: somebody acts at the platform, such as the account's owner or the operator of the service;
 * - `unknown`: a person checks at the platform what has happened.
 */
export const outcomeCategories = ['retryable', 'reconnect', 'content', 'platform', 'unknown'] as const;
export type OutcomeCategory = (typeof outcomeCategories)[number];

interface DescribedOutcome {
  readonly category: OutcomeCategory;
  /** The cause, as a sentence for the documentation. */
  readonly meaning: string;
  readonly remedy: string;
}

/** The stable codes of `errorDetail` for a destination that waits, has failed or is not complete. */
export const outcomeCodes = {
  account_expired: {
    category: 'reconnect',
    meaning: "The account's authorization has expired or was withdrawn.",
    remedy: 'Connect the account again, then retry the post.',
  },
  account_disconnected: {
    category: 'reconnect',
    meaning: 'The account is disconnected.',
    remedy: 'Connect the account again, then retry the post.',
  },
  permission_missing: {
    category: 'reconnect',
    meaning: 'The authorization of the account lacks a permission that this post needs.',
    remedy: 'Connect the account again and grant every permission, then retry the post.',
  },
  account_restricted: {
    category: 'platform',
    meaning: 'The platform has restricted what the account may do.',
    remedy: 'The owner of the account resolves this at the platform. Then retry the post.',
  },
  app_refused: {
    category: 'platform',
    meaning: 'The platform refuses the app of this service, whatever the account or the post.',
    remedy: 'Ask the operator of the service.',
  },
  quota_exhausted: {
    category: 'retryable',
    meaning: 'A daily limit of the platform is used up.',
    remedy:
      'A destination that waits is published when the limit ends, at about `retryAt`. One that has failed can be retried then.',
  },
  platform_unavailable: {
    category: 'retryable',
    meaning: 'The platform did not answer, or answered that it cannot do this now.',
    remedy: 'Herald tries again at `retryAt`, for six hours at most. Retry the post if it has failed.',
  },
  platform_rejected: {
    category: 'content',
    meaning: 'The platform has refused the post.',
    remedy: 'Read `platformMessage`, and create a new post that the platform accepts.',
  },
  content_invalid: {
    category: 'content',
    meaning:
      "The content does not meet the platform's rules. This was known only after its files were inspected.",
    remedy: 'Create a new post with the content or the files corrected.',
  },
  media_invalid: {
    category: 'content',
    meaning: 'A file of the post cannot be used, or cannot be converted for the platform.',
    remedy: 'Upload a valid file and create a new post with it.',
  },
  media_missing: {
    category: 'content',
    meaning: 'A file of the post was not uploaded in time, or was deleted.',
    remedy: 'Upload the file, then retry the post; for a deleted file, create a new post.',
  },
  media_unreachable: {
    category: 'content',
    meaning:
      'A file that the post names by URL could not be fetched. The message names the field and the reason.',
    remedy: 'Create a new post with a URL that a server can fetch without a login.',
  },
  media_delayed: {
    category: 'retryable',
    meaning:
      'A file that the post names by URL was not fetched or inspected, or a file was not converted for the platform, in time, because the service is busy.',
    remedy: 'Retry the post: `GET /v1/media/{id}` shows how far the import of the file is.',
  },
  missed: {
    category: 'retryable',
    meaning: 'The destination could not be published within 24 hours of its time.',
    remedy: 'Retry the post if it is still to be published.',
  },
  paused: {
    category: 'retryable',
    meaning: 'The operators of the service have paused the platform, the workspace or the account.',
    remedy:
      'Nothing. The destination is published when the pause ends, unless that is more than 24 hours late.',
  },
  taken_down: {
    category: 'content',
    meaning: 'The post that this one follows as a step of its chain was taken down.',
    remedy: 'Nothing. Create a new post if this one is still to be published.',
  },
  outcome_unknown: {
    category: 'unknown',
    meaning: 'The post may be live: the outcome of the request to publish it is unknown.',
    remedy:
      'Look at the account, where the message says. Then say whether it is there: `POST /v1/posts/{id}/targets/{accountId}/resolve`. Retry the post only if it is not.',
  },
  not_live: {
    category: 'retryable',
    meaning: 'The outcome was unknown, and a person has looked at the platform: the post is not there.',
    remedy: 'Retry the post: it is published again, without another look at the platform.',
  },
  extra_failed: {
    category: 'platform',
    meaning: 'The post is live. Its first comment, thumbnail, playlist or permalink is missing.',
    remedy: 'Add what is missing at the platform. A retry is not possible.',
  },
  internal: {
    category: 'retryable',
    meaning: 'There is an error in the service.',
    remedy: 'Herald tries again at `retryAt`. If the destination has failed, retry the post.',
  },
  unknown: {
    category: 'unknown',
    meaning: 'An earlier release of the service stored this error without a code.',
    remedy: 'Read `error`.',
  },
} as const satisfies Readonly<Record<string, DescribedOutcome>>;

export type OutcomeCode = keyof typeof outcomeCodes;
