import type { Call } from '../kit/call.ts';
import type { Answer } from '../kit/types.ts';
import { type GraphErrors, graphErrors, type Wording } from '../meta/graph-errors.ts';
import { loginError } from '../meta/login.ts';

/** Instagram's errors, by `code` or `code/subcode` (Instagram Platform: Error Codes; Graph API: Handling Errors). */
const wordings = {
  '1': { message: 'An unknown error has occurred.' },
  '2': {
    message: 'An unexpected error has occurred. Please retry your request later.',
    isTransient: true,
  },
  '4': { message: 'Application request limit reached' },
  '10': { message: '(#10) Application does not have permission for this action' },
  '17': { message: 'User request limit reached' },
  '32': { message: 'Page request limit reached' },
  '100': { message: '(#100) Invalid parameter', type: 'IGApiException' },
  '102': { message: 'Session key invalid or no longer valid' },
  '104': { message: 'An access token is required to request this resource.' },
  '190': { message: 'Invalid OAuth access token - Cannot parse access token' },
  '200': { message: '(#200) Permissions error' },
  '230': { message: 'User consent is required to access user profile' },
  '341': { message: 'Application limit reached' },
  '368': { message: 'The action attempted has been deemed abusive or is otherwise disallowed' },
  '551': { message: 'This person is not available right now.' },
  '613': { message: 'Calls to this api have exceeded the rate limit.' },
  '2500': { message: 'Unknown path components' },
  '10/2534022': {
    message: '(#10) This message is sent outside of allowed window.',
  },
  '100/2534014': { message: '(#100) The requested user cannot be found.' },
  '100/2534025': { message: '(#100) The comment is invalid for a private reply.' },
  '80002': {
    message: 'There have been too many calls to this Instagram account. Wait a bit and try again.',
  },
  '-1/2207001': {
    message: 'Fatal',
    title: 'Server error',
    userMessage: 'Instagram server error. Try again.',
  },
  '-1/2207032': { message: 'Fatal', title: 'Upload failed', userMessage: 'Create media failed, try again.' },
  '-1/2207053': { message: 'Fatal', title: 'Upload failed', userMessage: 'Unknown upload error.' },
  '-2/2207003': {
    message: 'Timeout',
    title: 'Timeout',
    userMessage: 'It takes too long to download the media.',
  },
  '-2/2207020': { message: 'Timeout', title: 'Media expired', userMessage: 'The media is expired.' },
  '1/2207057': {
    message: 'Invalid thumbnail offset',
    title: 'Invalid thumbnail offset',
    userMessage: 'Thumbnail offset must be greater than or equal to 0 and less than the video duration.',
  },
  '4/2207051': {
    message: 'Application request limit reached',
    title: 'Action is blocked',
    userMessage: 'We restrict certain activity to protect our community.',
  },
  '9/2207042': {
    message: 'Application request limit reached',
    title: 'Cannot publish',
    userMessage:
      'You reached the maximum number of posts that is allowed to be published by Content Publishing API.',
  },
  '24/2207006': {
    message: 'The requested resource does not exist',
    title: 'Media not found',
    userMessage: 'The media with the given id cannot be found.',
  },
  '24/2207008': {
    message: 'The requested resource does not exist',
    title: 'Media not found',
    userMessage: 'The media builder with the given creation id does not exist or has been expired.',
  },
  '25/2207050': {
    message: 'The Instagram account is restricted',
    title: 'Account restricted',
    userMessage: 'The account is restricted: log in to the Instagram app and follow the steps there.',
  },
  '100/33': {
    message:
      'Unsupported request. Object does not exist, cannot be loaded due to missing permissions, or does not support this operation.',
    type: 'IGApiException',
  },
  '100/2207023': {
    message: 'Invalid parameter',
    title: 'Unknown media type',
    userMessage: 'The media type is unknown.',
  },
  '100/2207028': {
    message: 'Invalid parameter',
    title: 'Invalid carousel',
    userMessage: 'A carousel needs between 2 and 10 children.',
  },
  '100/2207035': {
    message: 'Invalid parameter',
    title: 'Invalid product tags',
    userMessage: 'The tags are not accepted.',
  },
  '100/2207040': {
    message: 'Invalid parameter',
    title: 'Too many tags',
    userMessage: 'Cannot use more than 20 tags.',
  },
  '110/2207018': {
    message: 'Invalid user id',
    title: 'Cannot be added',
    userMessage: 'One or more collaborators cannot be added.',
  },
  '190/458': { message: 'Error validating access token: The user has not authorized application.' },
  '190/459': { message: 'Error validating access token: The user is checkpointed.' },
  '190/460': {
    message:
      'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
  },
  '190/463': { message: 'Error validating access token: Session has expired.' },
  '200/2534041': { message: '(#200) The owner of this account has revoked the access of the application.' },
  '352/2207026': {
    message: 'The video file you selected is in a format that we do not support.',
    title: 'Unsupported video format',
    userMessage: 'The video format is not supported. Please check spec for supported format.',
  },
  '9004/2207052': {
    message: 'Only photo or video can be accepted as media type.',
    title: 'Media download has failed. The media URI does not meet our requirements.',
    userMessage: 'The media could not be fetched from this URI.',
  },
  '9007/2207027': {
    message: 'Media ID is not available',
    title: 'Media is not ready',
    userMessage: 'The media is not ready for publishing, please wait for a moment.',
  },
  '36000/2207004': {
    message: 'The image size is too large.',
    title: 'Image too large',
    userMessage: 'The image is too large to download. It should be less than 8 MiB.',
  },
  '36001/2207005': {
    message: 'The image format is not supported.',
    title: 'Unsupported image format',
    userMessage: 'The image format is not supported. Supported formats are: JPEG.',
  },
  '36003/2207009': {
    message: 'The submitted image with the given aspect ratio cannot be published.',
    title: 'Invalid aspect ratio',
    userMessage: "The submitted image's aspect ratio must be within a 4:5 to 1.91:1 range.",
  },
  '36004/2207010': {
    message: 'The caption was too long.',
    title: 'Caption too long',
    userMessage: 'The submitted caption is too long, or has more than 30 hashtags.',
  },
} satisfies Readonly<Record<string, Wording>>;

export type ErrorCode = keyof typeof wordings;
const errors = graphErrors<ErrorCode>(wordings);

/** Refuses a call with an error. `message` replaces the default message. */
export const refuse: GraphErrors<ErrorCode>['refuse'] = errors.refuse;

/** Refuses an invalid parameter with code 100. @throws Refusal */
export function refuseParameter(problem: string): never {
  return refuse('100', `(#100) ${problem}`);
}

/** Returns the answer for a planned fault. The login has its own error format. */
export function plannedError(code: string, { host }: Call): Answer {
  if (host === 'graph.instagram.com') return errors.planned(code);
  return loginError('Sorry, this feature is not available right now', errors.plannedStatus(code));
}
