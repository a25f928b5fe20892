import * as z from 'zod';
import { Id, orNull } from '../api-contract/fields.ts';
import { refusedAlike, refuseFields } from '../api-contract/refused-fields.ts';
import { normalizeText } from '../kernel/normalize-text.ts';
import { isReadable, unreadableProblem } from '../kernel/readable-names.ts';
import { checkDestinationUrl } from '../links/destination-url.ts';
import { automationLimits } from './limits.ts';
import { MatchMode } from './schemas.ts';

/** Returns the schema of a text for people. The only control characters allowed are line breaks and tabs. */
const text = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .refine((value) => value.trim() !== '', {
      error: 'must not be blank; leave it out instead',
      params: { code: 'field_too_short' },
    })
    .refine((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value), {
      error: 'must not contain control characters other than line breaks and tabs',
    });

const Text = text(automationLimits.textCharacters);

const Name = text(automationLimits.nameCharacters).refine(isReadable, unreadableProblem).nullable();

const Keyword = text(automationLimits.keywordCharacters)
  .transform((value) => value.trim())
  .superRefine((value, { addIssue }) => {
    const { length } = normalizeText(value);
    if (length === 0) {
      addIssue({
        code: 'custom',
        message: 'must contain a visible character',
        params: { code: 'field_too_short' },
      });
    }
    if (length > automationLimits.keywordCharacters) {
      addIssue({
        code: 'custom',
        message: `must be at most ${automationLimits.keywordCharacters} characters`,
        params: { code: 'field_too_long' },
      });
    }
  });

const Keywords = z.array(Keyword).max(automationLimits.keywords).meta({
  description:
    'A comment matches if it matches one of them (see `matchMode`); if there are none, every comment matches. Messages match likewise, but `direct_messages` needs keywords. Of keywords that are compared as equal, only the first is kept',
});

const TypoTolerance = z.boolean().meta({
  description:
    "True to tolerate typing errors: one in a keyword's word of 4 to 7 letters, two in a longer one. An error is an added, missing or wrong letter, or two neighbouring letters swapped. Words with digits and scripts without spaces have no tolerance. Four letters are few: `into` matches `info`, and `free` matches `tree`",
});

const CommentReply = Text.nullable().meta({ description: 'The public reply to the comment' });
const DmMessage = Text.nullable().meta({ description: 'The private message' });

const ButtonUrl = z
  .string()
  .transform((value) => value.trim())
  .superRefine((value, { addIssue }) => {
    const verdict = checkDestinationUrl(value);
    if ('problem' in verdict) addIssue({ code: 'custom', message: verdict.problem });
  })
  .meta({ format: 'uri', description: '`http` or `https`' });

const Buttons = z
  .array(
    z
      .object({ type: z.literal('url').default('url'), title: Text, url: ButtonUrl })
      .meta({ id: 'LinkButton' }),
  )
  .max(20)
  .meta({ description: 'Buttons under `dmMessage`; at most 3' });

const FollowGate = z
  .object({
    message: Text.meta({ description: 'Sent first, with a button' }),
    buttonLabel: Text,
    notFollowingMessage: Text.meta({
      description: 'Sent, with the button again, to a person who taps but does not follow the account',
    }),
  })
  .meta({ id: 'FollowGate' });
const FollowGateField = FollowGate.nullable().meta({
  description:
    'Sends `dmMessage` only after the person taps the button, and only if they follow the account or the platform does not say whether they do',
});

const TrackLinks = z.boolean().meta({
  description: 'True to send the links of `dmMessage` and `buttons` as `/r/<code>`, which counts clicks',
});

/** The second name of `trackLinks`, known to clients of similar APIs. */
const LinkTracking = z.boolean().optional().meta({ description: 'Another name of `trackLinks`' });

interface TrackLinksNames {
  readonly trackLinks?: boolean | undefined;
  readonly linkTracking?: boolean | undefined;
}

/** Puts the value of `linkTracking` into `trackLinks`. */
function underOneName<Body extends TrackLinksNames>({ linkTracking, ...body }: Body) {
  return linkTracking === undefined ? body : { ...body, trackLinks: linkTracking };
}

const oneNameOnly = ({ trackLinks, linkTracking }: TrackLinksNames): boolean =>
  trackLinks === undefined || linkTracking === undefined || trackLinks === linkTracking;

const twoNames = {
  path: ['linkTracking'],
  error: 'is another name of trackLinks, which has another value',
  params: { code: 'contradictory_fields' },
};

const IsActive = z.boolean().meta({ description: 'If `false`, comments are not answered' });

/** The posts or messages that an automation answers, in the API. */
export const AppliesTo = z
  .enum(['post', 'next_post', 'every_post', 'story_replies', 'direct_messages'])
  .meta({ id: 'CommentAutomationPosts' });

interface NamedPosts {
  readonly appliesTo: z.infer<typeof AppliesTo>;
  readonly platformPostId?: string | undefined;
  readonly postId?: string | undefined;
}

/** Requires exactly one name of the posts. */
function requireOnePost({ appliesTo, platformPostId, postId }: NamedPosts, context: z.RefinementCtx): void {
  const refuse = (path: string, code: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message, params: { code } });
  if (appliesTo === 'post') {
    if (platformPostId === undefined && postId === undefined)
      refuse('platformPostId', 'field_required', 'is required');
    if (platformPostId !== undefined && postId !== undefined)
      refuse(
        'postId',
        'contradictory_fields',
        'names the post, as platformPostId does; leave one of them out',
      );
    return;
  }
  for (const [name, value] of Object.entries({ platformPostId, postId }))
    if (value !== undefined)
      refuse(
        name,
        'contradictory_fields',
        `names one post, but appliesTo is ${appliesTo}; leave one of them out`,
      );
}

const CreateAutomation = z
  .object({
    accountId: Id,
    platformPostId: orNull(
      z.string().min(1).max(automationLimits.platformPostIdCharacters).optional().meta({
        description:
          "The live post's id at the platform; Herald need not have published it. Required unless `postId` or `appliesTo` names the posts",
      }),
    ),
    postId: orNull(
      Id.optional().meta({
        description:
          'A post of Herald that goes to the account, instead of `platformPostId`. It need not be live: the automation starts when it is',
      }),
    ),
    appliesTo: AppliesTo.default('post').meta({
      description:
        '`post`: one post, which `platformPostId` or `postId` names. `next_post`: the first post that goes live on the account from now on, whoever publishes it. `every_post`: all posts of the account. If several automations match a comment, the one of the post answers, otherwise the one of the next post, otherwise the one of every post. `story_replies` and `direct_messages`: no comments, but the messages that reply to a story of the account, or all messages of people; see `keywords`. If both match a reply to a story, the one of story replies answers',
    }),
    name: Name.default(null),
    isActive: IsActive.default(true),
    keywords: Keywords.default([]),
    matchMode: MatchMode.default('contains'),
    typoTolerance: TypoTolerance.default(false),
    commentReply: CommentReply.default(null),
    dmMessage: DmMessage.default(null),
    buttons: Buttons.default([]),
    followGate: FollowGateField.default(null),
    trackLinks: TrackLinks.optional().meta({ default: true }),
    linkTracking: LinkTracking,
  })
  .refine(oneNameOnly, twoNames)
  .superRefine(requireOnePost)
  .meta({ id: 'CreateCommentAutomation' });
export const CreateAutomationBody = CreateAutomation.transform(underOneName).transform(
  ({ trackLinks = true, ...body }) => ({ ...body, trackLinks }),
);
export type CreateAutomationBody = z.infer<typeof CreateAutomationBody>;

const EditAutomation = z
  .object({
    name: Name.optional(),
    isActive: IsActive.optional(),
    keywords: Keywords.optional(),
    matchMode: MatchMode.optional(),
    typoTolerance: TypoTolerance.optional(),
    commentReply: CommentReply.optional(),
    dmMessage: DmMessage.optional(),
    buttons: Buttons.optional(),
    followGate: FollowGateField.optional(),
    trackLinks: TrackLinks.optional(),
    linkTracking: LinkTracking,
  })
  .refine(oneNameOnly, twoNames)
  .meta({ id: 'EditCommentAutomation' });
/** The fields that cannot change: an automation belongs to one post forever. */
const fixed = refusedAlike(
  ['accountId', 'platformPostId', 'postId', 'appliesTo'],
  'cannot be changed; create an automation for the other post',
);
export const EditAutomationBody = refuseFields(EditAutomation, fixed).transform(underOneName);
export type EditAutomationBody = z.infer<typeof EditAutomationBody>;

export const TryAutomationBody = z
  .object({
    text: z.string().max(automationLimits.commentCharacters).meta({ description: "The comment's text" }),
  })
  .meta({ id: 'TryCommentAutomation' });
