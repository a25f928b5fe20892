import * as z from 'zod';
import { ActorReference } from '../../access/actor.ts';
import { ProblemCode } from '../../api-contract/errors/problem-code.ts';
import { FreeForm, Timestamp } from '../../api-contract/fields.ts';
import { Fit, FocalPoint } from '../../media/renditions/recipe.ts';
import { AdaptationChange } from '../../media/renditions/stored-adaptation.ts';
import { MediaItem } from '../../media/schemas.ts';
import { Feature } from '../../platforms/contract/features.ts';
import { Platform } from '../../platforms/contract/names.ts';
import { ErrorDetail } from '../../targets/problem.ts';
import { RemovalState, RemovedBy } from '../../targets/removal.ts';
import { Risk } from '../../targets/risk.ts';
import { PostStatus } from '../../targets/state.ts';
import { TargetTiming } from '../../targets/timing.ts';
import { ChainStepKind } from '../stored/chain-schemas.ts';
import { ApprovalState } from '../stored/schemas.ts';

/** The reaction of a destination to a platform limit that ends within a day. */
export const OnQuota = z.enum(['wait', 'fail']).meta({
  id: 'OnQuota',
  description:
    'Action if the platform refuses a destination because of a daily limit: `wait` until the limit ends (the default), or `fail` immediately. With `fail`, a post is refused if the limit of its day is already used up',
});
export type OnQuota = z.infer<typeof OnQuota>;

/** Asks only what a request would do. */
export const DryRun = z.boolean().meta({
  description:
    'If true, nothing is stored, no slot is taken and no idempotency key is used: the reply is 200 with what the request would do',
});

const RemovalView = z
  .object({
    state: RemovalState.meta({
      description:
        '`requested`: a worker deletes it, or waits for its next try. `failed`: it is still live, at least in part; another request tries again. `removed`: it is gone',
    }),
    by: RemovedBy.meta({
      description: '`service`: this service deletes it on request. `person`: it was deleted at the platform',
    }),
    requestedAt: Timestamp.nullable().meta({ description: 'Null if nobody has asked this service' }),
    error: z.string().nullable().meta({ description: 'Reason of the failure, or of the next try' }),
    errorDetail: ErrorDetail.nullable().meta({ description: 'The same for programs' }),
  })
  .meta({ id: 'Removal', description: 'The deletion of a live post at its platform' });

const ThreadPartView = z
  .object({
    platformPostId: z.string().nullable().meta({ description: 'Null if the platform has not named it' }),
    permalink: z.string().nullable(),
    publishedAt: Timestamp,
    isRemoved: z.boolean().meta({ description: 'True if it was deleted at the platform' }),
  })
  .meta({ id: 'ThreadPart', description: 'A part of a thread that is live' });

/** A destination in lists and events. */
export const ListedPostTarget = z
  .object({
    platform: Platform,
    accountId: z.uuid(),
    status: PostStatus,
    scheduledFor: Timestamp.nullable(),
    platformPostId: z.string().nullable().meta({
      description:
        'Null until the destination is live, even if an upload, such as a private video, has an id at the platform before. Null again if the platform has found only later that nobody can see the post: then the destination is `failed`',
    }),
    permalink: z.string().nullable(),
    error: z.string().nullable().meta({
      description:
        'Reason why it has failed or is not complete. While it is `scheduled`: the reason for the next try; the platform’s limit that it waits for, with its end; or the operators’ pause that it waits for, with its reason',
    }),
    errorDetail: ErrorDetail.nullable().meta({
      description: 'The same for programs; null exactly if `error` is null',
    }),
    risk: Risk.nullable().meta({
      description:
        'While it is `scheduled`: lasting reasons for which it will probably fail, found up to a day ahead. Null if none is known',
    }),
    publishedAt: Timestamp.nullable(),
    removedAt: Timestamp.nullable().meta({
      description:
        'When it was deleted at the platform, or when this service noticed that it was. Its `status` stays as it is. Null while it is there',
    }),
    removal: RemovalView.nullable().meta({
      description: 'Null while nobody has asked to take it down and it is there',
    }),
    threadParts: z.array(ThreadPartView).meta({
      description:
        'Parts of a thread that are live, in order, the destination’s own content first. Empty if `platformSpecificData` has no `thread`',
    }),
    timing: TargetTiming,
  })
  .meta({ id: 'ListedPostTarget' });
export type ListedPostTarget = z.infer<typeof ListedPostTarget>;

/** A file that a destination gets in another form. */
const Adaptation = z
  .object({
    field: z.string().meta({ description: 'The field of the request, such as `mediaItems[0]`' }),
    changes: z.array(AdaptationChange),
    message: z.string().meta({ description: 'The same in words, such as `converted to JPEG`' }),
    contentType: z.string(),
    width: z.int().nullable().meta({ description: 'Pixels afterwards' }),
    height: z.int().nullable(),
    url: z.string().nullable().meta({
      description:
        'Address of the adapted file. It works once the file was made, which begins when the post is scheduled. Null for a draft, and where nothing is stored',
    }),
  })
  .meta({
    id: 'Adaptation',
    description:
      'A file that is adapted for the platform, because it does not take the original as it is, or advises against it. The original stays unchanged',
  });

/** An adaptation, with its destination. */
export const PostAdaptation = Adaptation.extend({ accountId: z.uuid(), platform: Platform }).meta({
  id: 'PostAdaptation',
});
export type PostAdaptation = z.infer<typeof PostAdaptation>;

const LinkCardView = z
  .object({
    url: z.string().meta({ description: 'The first link in the text' }),
    title: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable().meta({
      description:
        'Address of the picture, at any server. It is fetched when the post is prepared; if that fails, the card has no picture, and the timeline says so',
    }),
  })
  .meta({
    id: 'LinkCard',
    description: 'A card below the text, as the linked page described itself when the text was sent',
  });

/** A card, with its destination. */
export const PostLinkCard = LinkCardView.extend({ accountId: z.uuid(), platform: Platform }).meta({
  id: 'PostLinkCard',
});
export type PostLinkCard = z.infer<typeof PostLinkCard>;

const TakeDownView = z
  .object({
    by: RemovedBy.meta({
      description:
        '`service`: `POST /v1/posts/{id}/unpublish` deletes it. `person`: somebody has to, at `permalink`',
    }),
    feature: Feature.nullable().meta({
      description: 'Feature that the account needs among its `capabilities`; null if a person has to do it',
    }),
    reason: z.string().nullable().meta({ description: 'Reason why a person has to; null otherwise' }),
  })
  .meta({ id: 'TakeDown', description: 'The way to delete a live post at its platform' });

export const PostTarget = ListedPostTarget.extend({
  customContent: z.string().nullable().meta({ description: "Null if it has the post's content" }),
  customMedia: z.array(MediaItem).nullable().meta({ description: "Null if it has the post's media" }),
  fit: Fit.nullable().meta({ description: 'The same as in the request' }),
  padColor: z.string().nullable(),
  focalPoint: FocalPoint.nullable(),
  adaptations: z.array(Adaptation).meta({
    description:
      'Files that it gets in another form. Files that had not arrived when the post was last changed are missing',
  }),
  linkCard: LinkCardView.nullable().meta({
    description:
      'LinkedIn only: the card of the first link in the text. Null if there is none, also because its page could not be read',
  }),
  platformSpecificData: FreeForm.meta({ description: 'The same as in the request' }),
  takeDown: TakeDownView.nullable().meta({
    description: 'The way to take it down; null unless it is live',
  }),
}).meta({ id: 'PostTarget' });
export type PostTarget = z.infer<typeof PostTarget>;

export const ChainStepView = z
  .object({
    kind: ChainStepKind,
    status: z.enum(['waiting', 'fired', 'skipped', 'failed']).meta({
      description:
        '`skipped` while all destinations of the post have failed; after a retry it is `waiting` again',
    }),
    postId: z.uuid().nullable().meta({
      description:
        'The post that the step became, independent of this one. If it is deleted, the step stays `fired` and keeps this id',
    }),
    error: z.string().nullable().meta({ description: 'Reason why the step could not become a post' }),
    accountIds: z.array(z.uuid()),
    afterMinutes: z.int().meta({ description: "Minutes after the post's first destination went live" }),
    content: z.string().nullable().meta({ description: "Null for a crossPost, which uses the post's own" }),
    mediaItems: z.array(MediaItem),
    options: z.record(z.string(), FreeForm).meta({ description: 'platformSpecificData by account id' }),
  })
  .meta({ id: 'PostChainStep' });
export type ChainStepView = z.infer<typeof ChainStepView>;

export const PostApproval = z
  .object({
    state: ApprovalState,
    version: z.int().meta({
      description:
        'Changes with every change of the post. Send it as `ifVersion`, so that you decide about what you have seen',
    }),
    requestedAt: Timestamp.meta({ description: 'The latest change by the one who proposes it' }),
    requestedBy: ActorReference,
    decidedAt: Timestamp.nullable(),
    decidedBy: ActorReference.nullable(),
    note: z.string().nullable().meta({ description: 'The reason for declining it, if one was given' }),
  })
  .meta({ id: 'PostApproval' });

/** A post in lists and events. It is built from the post's own item, which lacks some details of its targets. */
export const ListedPostView = z
  .object({
    _id: z.uuid(),
    id: z.uuid().meta({ description: 'The same id as `_id`' }),
    content: z.string(),
    status: PostStatus,
    atRisk: z.boolean().meta({ description: 'True if a destination has a `risk`' }),
    scheduledFor: Timestamp.nullable(),
    timezone: z.string(),
    onQuota: OnQuota,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    mediaItems: z.array(MediaItem),
    coverUrl: z.string().nullable(),
    platforms: z.array(ListedPostTarget),
    chain: z.array(ChainStepView),
    parentPostId: z.uuid().nullable().meta({
      description:
        'The post whose chain this one is a step of; a key that is limited to accounts may be unable to read it',
    }),
    tags: z.array(z.string()).meta({ description: 'Names of its tags, in order' }),
    metadata: z
      .record(z.string(), z.string())
      .meta({ description: 'The same as in the request; empty if there is none' }),
    externalId: z.string().nullable().meta({ description: 'The id that the client gave it' }),
    externalIdUnique: z.boolean(),
    approval: PostApproval.nullable().meta({ description: 'Null if nobody asked for approval' }),
  })
  .meta({
    id: 'ListedPost',
    description:
      'A post in lists and events. It does not have the `customContent`, `customMedia`, `fit`, `padColor`, `focalPoint`, `adaptations`, `linkCard` and `platformSpecificData` of its destinations, nor `editable`; `GET /v1/posts/{id}` has them. If the operator of the service has set a time, a post is gone that long after it went live or failed, with its timeline; a draft or a scheduled post never is',
  });
export type ListedPostView = z.infer<typeof ListedPostView>;

export const PostView = ListedPostView.extend({
  platforms: z.array(PostTarget),
  editable: z.boolean().meta({
    description:
      'True if the post can be changed: it is a draft or waits, and nothing was ever sent for a destination that has failed, such as for one whose file could not be converted',
  }),
}).meta({ id: 'Post' });
export type PostView = z.infer<typeof PostView>;

export const PostReply = z.object({ post: PostView });

/** A problem or a warning, with the destination if it concerns only one. */
export const PostFinding = z
  .object({
    accountId: z.string().nullable(),
    platform: Platform.nullable(),
    field: z.string().meta({ description: 'The field of the request, such as `mediaItems[0]`' }),
    code: ProblemCode,
    message: z.string(),
  })
  .meta({ id: 'PostFinding' });
export type PostFinding = z.infer<typeof PostFinding>;

/** The response to a request that stores a post. */
export const StoredPostReply = PostReply.extend({
  warnings: z.array(PostFinding).meta({
    description:
      'Possible problems, although the post is stored, and ignored fields. A draft is not checked by the platforms’ rules',
  }),
}).meta({ id: 'StoredPost' });

/** The response to a request with `dryRun`. */
const DryRunReply = StoredPostReply.extend({
  dryRun: z.literal(true),
  valid: z.boolean().meta({ description: 'True if there are no problems' }),
  problems: z.array(PostFinding).meta({ description: 'Reasons for which the request would be refused' }),
}).meta({
  id: 'DryRun',
  description:
    'What a request would do. `post` is the post as it would be, as far as it can be known. If it would be a new one, its `id` is that of no stored post',
});

/** Returns the schema of a response that is another one for a request with `dryRun`. */
export const orDryRun = <Reply extends z.ZodObject>(reply: Reply) =>
  // In this order, because the other one would take it too and drop its own fields.
  z.union([DryRunReply, reply]);

/** The response to a request whose idempotency key was used before. */
export const ReplayReply = StoredPostReply.extend({
  existingPost: PostView,
  idempotencyMismatch: z.boolean().meta({
    description:
      'True if the key was first used with a different body. The post is the one that the first request created',
  }),
}).meta({ id: 'ReplayedPost' });
