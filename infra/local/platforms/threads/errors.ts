import type { Call } from '../kit/call.ts';
import type { Answer } from '../kit/types.ts';
import { type GraphErrors, graphErrors, type Wording } from '../meta/graph-errors.ts';
import { loginError } from '../meta/login.ts';

const missing = 'The requested resource does not exist';

/** Threads' errors, by `code` or `code/subcode` (Threads API: Troubleshooting; Graph API: Handling Errors). */
const wordings = {
  '1': { message: 'An unknown error has occurred.', type: 'THApiException', status: 500 },
  '2': {
    message: 'An unexpected error has occurred. Please retry your request later.',
    type: 'THApiException',
    isTransient: true,
    status: 500,
  },
  '4': { message: '(#4) Application request limit reached' },
  '10': { message: '(#10) Application does not have permission for this action' },
  '17': { message: '(#17) User request limit reached' },
  '24': { message: missing },
  '32': { message: '(#32) Page request limit reached' },
  '100': { message: '(#100) Invalid parameter', type: 'THApiException' },
  '102': { message: 'Session key invalid or no longer valid' },
  '104': { message: 'An access token is required to request this resource.' },
  '190': { message: 'Invalid OAuth access token - Cannot parse access token' },
  '190/458': { message: 'Error validating access token: The user has not authorized application.' },
  '190/459': { message: 'Error validating access token: The user is checkpointed.' },
  '190/460': {
    message: 'Error validating access token: The session has been invalidated because of a new password.',
  },
  '190/463': { message: 'Error validating access token: Session has expired.' },
  '200': { message: '(#200) Permissions error' },
  '368': { message: 'The action attempted has been deemed abusive or is otherwise disallowed' },
  '613': { message: '(#613) Calls to this api have exceeded the rate limit.' },
  '2500': { message: 'Unknown path components' },
  '4/2207051': {
    message: '(#4) Application request limit reached',
    title: 'Action is blocked',
    userMessage: 'We restrict certain activity to protect our community.',
  },
  '9/2207042': {
    message: '(#9) Application request limit reached',
    title: 'Cannot publish',
    userMessage: 'You reached the maximum number of posts that is allowed to be published in a day.',
  },
  '24/4279009': {
    message: missing,
    title: 'Media not found',
    userMessage: 'The media with the given id cannot be found.',
  },
  '24/4279004': {
    message: missing,
    title: 'Carousel items not found',
    userMessage: 'Some of the carousel children are invalid, expired or not ready.',
  },
  '25/4279013': {
    message: 'The Threads account is restricted',
    title: 'Account restricted',
    userMessage: 'This account is restricted: open Threads and follow the steps there.',
  },
  '9004/2207052': {
    message: 'Only photo or video can be accepted as media type.',
    title: 'Media download has failed',
    userMessage: 'The media could not be fetched from this URI.',
  },
  '36000/2207004': { message: 'The image size is too large.' },
  '36001/2207005': { message: 'The image format is not supported.' },
  '36003/2207009': { message: 'The submitted image with the given aspect ratio cannot be published.' },
} satisfies Readonly<Record<string, Wording>>;

export type ErrorCode = keyof typeof wordings;
const errors = graphErrors<ErrorCode>(wordings);

/** Refuses a call with an error. `message` replaces the default message. */
export const refuse: GraphErrors<ErrorCode>['refuse'] = errors.refuse;

/** Returns the answer for a planned fault. The authorize page has its own error format. */
export function plannedError(code: string, { host }: Call): Answer {
  if (host !== 'threads.net') return errors.planned(code);
  return loginError('Sorry, something went wrong', errors.plannedStatus(code));
}
