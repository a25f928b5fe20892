import { type GraphErrors, graphErrors, type Wording } from '../meta/graph-errors.ts';

/** Facebook's errors, by `code` or `code/subcode` (Graph API: Handling Errors; Pages: troubleshooting). */
const wordings = {
  '1': { message: 'An unknown error occurred' },
  '2': { message: 'Service temporarily unavailable', isTransient: true },
  '4': { message: '(#4) Application request limit reached' },
  '803': { message: '(#803) Some of the aliases you requested do not exist' },
  '10': { message: '(#10) Application does not have permission for this action' },
  '17': { message: '(#17) User request limit reached' },
  '32': { message: '(#32) Page request limit reached' },
  '100': { message: '(#100) Invalid parameter' },
  '100/33': {
    message:
      'Unsupported request. Object does not exist, cannot be loaded due to missing permissions, or does not support this operation.',
    type: 'GraphMethodException',
  },
  '100/36008': {
    message:
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
  },
  '100/36009': { message: 'This authorization code has been used.' },
  '100/36007': { message: 'This authorization code has expired.' },
  '101': { message: 'Error validating application. Invalid application ID.' },
  '102': { message: 'Session key invalid or no longer valid' },
  '104': { message: 'An access token is required to request this resource.' },
  '190': { message: 'Invalid OAuth access token - Cannot parse access token' },
  '190/458': { message: 'Error validating access token: The user has not authorized application.' },
  '190/459': { message: 'Error validating access token: The user is checkpointed.' },
  '190/460': {
    message:
      'Error validating access token: The session has been invalidated because the user changed their password.',
  },
  '190/463': { message: 'Error validating access token: Session has expired.' },
  '190/492': {
    message: 'Error validating access token: The session is invalid: the user has no role on the Page.',
  },
  '197': { message: '(#197) The post is empty. Please enter a message to share.' },
  '200': {
    message: '(#200) If posting to a page, requires both pages_read_engagement and pages_manage_posts',
  },
  '324': { message: '(#324) Requires upload file', title: 'Missing or invalid image file' },
  '341': { message: '(#341) Feed action request limit reached' },
  '368': { message: 'The action attempted has been deemed abusive or is otherwise disallowed' },
  '506': { message: 'Duplicate status message' },
  '613': { message: '(#613) Calls to this api have exceeded the rate limit.' },
  '2500': { message: 'Unknown path components' },
  '80001': { message: '(#80001) There have been too many calls to this Page account.' },
  '1/1363030': {
    message: 'Upload timed out',
    userMessage: 'Your video timed out before the upload was completed.',
  },
  '6000/1363019': {
    message: 'There was a problem uploading your video file. Please try again with another file.',
  },
  '6000/1363037': {
    message: 'There was a problem uploading your video. Please try again.',
    userMessage: 'The start offset does not fit the upload.',
  },
  '100/1363022': { message: 'Video too small' },
  '100/1363040': {
    message: 'Invalid aspect ratio',
    userMessage: 'The aspect ratio of the video must be from 16:9 to 9:16.',
  },
  '100/1363127': { message: 'Invalid resolution', userMessage: 'The resolution must be 540x960 or more.' },
  '100/1363128': {
    message: 'Invalid duration',
    userMessage: 'The duration of the video is not supported.',
  },
  '100/1363129': { message: 'Invalid frame rate', userMessage: 'The frame rate must be from 24 to 60.' },
  '352/1349125': { message: 'The video file you selected is in a format that we do not support.' },
  '100/1366046': {
    message: 'Your photos could not be uploaded.',
    userMessage:
      'Your photos could not be uploaded. Photos should be less than 4 MB and saved as JPG, PNG, GIF, TIFF, HEIF or WebP files.',
  },
  '100/1366051': { message: 'These photos were already posted.' },
  '1390008': { message: 'You cannot use this feature right now: posting too fast.' },
  '100/1390008': { message: 'You cannot use this feature right now', title: 'Reels limit reached' },
  '1404006': { message: 'Security check needed: log in to Facebook to continue.' },
  '1404078': { message: 'Page publishing authorization is needed.' },
  '1404112': { message: 'This account is temporarily limited.' },
  '1346003': { message: 'This content goes against our Community Standards.' },
  '100/1609005': { message: 'Link post failed', userMessage: 'The URL you supplied could not be read.' },
  '100/1609008': { message: 'Facebook links cannot be shared this way.' },
  '100/2061006': { message: 'The URL is not valid.' },
} satisfies Readonly<Record<string, Wording>>;

export type ErrorCode = keyof typeof wordings;
const errors = graphErrors<ErrorCode>(wordings);

export const { answer: graphError, isKnown, planned: plannedError } = errors;

/** Refuses a call with an error. `message` replaces the default message; `data` is sent as `error_data`. */
export const refuse: GraphErrors<ErrorCode>['refuse'] = errors.refuse;

/** Returns the text of an error in the status of a video. */
export function messageOf(code: ErrorCode): string {
  const wording: Wording = wordings[code];
  return wording.userMessage ?? wording.message;
}
