/**
 * The error bodies of the Google APIs: `{ error: { code, message, errors: [{ domain, reason, message }], status } }`.
 * A client classifies errors by `errors[0].reason`. The status, domain and message of each reason come from the
 * reference of the YouTube Data API ("Errors", "videos.insert") and from published logs.
 */

export interface GoogleError {
  readonly httpStatus: number;
  readonly domain: string;
  readonly message: string;
  readonly location?: string;
  readonly locationType?: 'header' | 'parameter' | 'other';
  /** The `reason` of the body, if it is not the name of this entry: the API uses one reason for several limits. */
  readonly reason?: string;
}

const metadataError = (message: string, location?: string): GoogleError => ({
  httpStatus: 400,
  domain: 'youtube.video',
  message,
  ...(location === undefined ? {} : { location, locationType: 'other' as const }),
});

const accountError = (httpStatus: number, message: string): GoogleError => ({
  httpStatus,
  domain: 'youtube.common',
  message,
});

const commentError = (httpStatus: number, message: string): GoogleError => ({
  httpStatus,
  domain: 'youtube.commentThread',
  message,
});

const captionError = (httpStatus: number, message: string): GoogleError => ({
  httpStatus,
  domain: 'youtube.caption',
  message,
});

export const googleErrors = {
  // https://developers.google.com/youtube/v3/docs/captions/insert#errors, .../captions/delete#errors
  captionExists: captionError(
    409,
    'The specified video already has a caption track with the given snippet.language and snippet.name.',
  ),
  captionNotFound: captionError(404, 'The specified caption track could not be found.'),
  contentRequired: captionError(400, 'The request does not include the caption track contents.'),
  invalidCaptionMetadata: {
    ...captionError(400, 'The request contains invalid metadata values.'),
    reason: 'invalidMetadata',
  },
  nameTooLong: captionError(
    400,
    'The snippet.name specified in the request is too long. The maximum length supported is 150 characters.',
  ),
  videoOfCaptionNotFound: {
    ...captionError(404, 'The video identified by the videoId parameter could not be found.'),
    reason: 'videoNotFound',
  },
  authError: {
    httpStatus: 401,
    domain: 'global',
    message: 'Invalid Credentials',
    location: 'Authorization',
    locationType: 'header',
  },
  authorizationRequired: {
    httpStatus: 401,
    domain: 'global',
    message: 'Login Required',
    location: 'Authorization',
    locationType: 'header',
  },
  youtubeSignupRequired: {
    httpStatus: 401,
    domain: 'youtube.header',
    message: 'Unauthorized',
    location: 'Authorization',
    locationType: 'header',
  },
  insufficientPermissions: {
    httpStatus: 403,
    domain: 'global',
    message: 'Request had insufficient authentication scopes.',
  },
  quotaExceeded: {
    httpStatus: 403,
    domain: 'youtube.quota',
    message: 'The request cannot be completed because you have exceeded your quota.',
  },
  // The daily limit of `videos.insert`, as recorded in https://github.com/googleapis/google-api-python-client/issues/2753
  uploadsPerDayExceeded: {
    httpStatus: 429,
    domain: 'global',
    reason: 'rateLimitExceeded',
    message:
      "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day' of service 'youtube.googleapis.com' for consumer 'project_number:990011223344'.",
  },
  dailyLimitExceeded: { httpStatus: 403, domain: 'usageLimits', message: 'Daily Limit Exceeded' },
  rateLimitExceeded: { httpStatus: 403, domain: 'usageLimits', message: 'Rate Limit Exceeded' },
  userRateLimitExceeded: { httpStatus: 403, domain: 'usageLimits', message: 'User Rate Limit Exceeded' },
  uploadRateLimitExceeded: {
    httpStatus: 429,
    domain: 'youtube.thumbnail',
    message: 'The channel has uploaded too many thumbnails recently. Please try the request again later.',
  },
  accessNotConfigured: {
    httpStatus: 403,
    domain: 'usageLimits',
    message: 'YouTube Data API v3 has not been used in this project before or it is disabled.',
  },
  forbidden: accountError(403, 'Access forbidden. The request may not be properly authorized.'),
  channelClosed: accountError(403, 'The channel has been closed.'),
  channelSuspended: accountError(403, 'The channel has been suspended.'),
  authenticatedUserAccountClosed: accountError(403, "The authenticated user's account is closed."),
  authenticatedUserAccountSuspended: accountError(403, "The authenticated user's account is suspended."),
  forbiddenPrivacySetting: {
    ...metadataError(
      'The request attempts to set an invalid privacy setting for the video.',
      'body.status.privacyStatus',
    ),
    httpStatus: 403,
  },
  forbiddenLicenseSetting: {
    ...metadataError('The request attempts to set an invalid license for the video.', 'body.status.license'),
    httpStatus: 403,
  },
  uploadLimitExceeded: metadataError('The user has exceeded the number of videos they may upload.'),
  invalidTitle: metadataError(
    'The request metadata specifies an invalid or empty video title.',
    'body.snippet.title',
  ),
  invalidDescription: metadataError(
    'The request metadata specifies an invalid video description.',
    'body.snippet.description',
  ),
  invalidTags: metadataError('The request metadata specifies invalid video keywords.', 'body.snippet.tags'),
  invalidCategoryId: metadataError(
    'The snippet.categoryId property specifies an invalid category ID. Use the videoCategories.list method to retrieve supported categories.',
    'body.snippet.categoryId',
  ),
  invalidPublishAt: metadataError(
    'The request metadata specifies an invalid scheduled publishing time.',
    'body.status.publishAt',
  ),
  invalidRecordingDetails: metadataError(
    'The recordingDetails object in the request metadata specifies invalid recording details.',
    'body.recordingDetails',
  ),
  defaultLanguageNotSet: metadataError(
    'The request is trying to add localized video details without specifying the default language of the video details.',
    'body.snippet.defaultLanguage',
  ),
  invalidVideoMetadata: metadataError('The request metadata is invalid.', 'body'),
  invalidFilename: metadataError('The video filename specified in the Slug header is invalid.'),
  mediaBodyRequired: metadataError('The request does not include the video content.'),
  parseError: { httpStatus: 400, domain: 'global', message: 'Parse Error' },
  badContent: {
    httpStatus: 400,
    domain: 'global',
    message:
      'The media type of the upload is not supported. Valid media types: [video/*, application/octet-stream]',
  },
  badRequest: { httpStatus: 400, domain: 'global', message: 'Bad Request' },
  uploadTooLarge: { httpStatus: 413, domain: 'global', message: 'The upload is larger than the limit.' },
  missingRequiredParameter: {
    httpStatus: 400,
    domain: 'youtube.parameter',
    message: 'The request is missing a required parameter.',
    locationType: 'parameter',
  },
  unknownPart: {
    httpStatus: 400,
    domain: 'youtube.part',
    message: 'The part parameter names a part that this resource does not have.',
    location: 'part',
    locationType: 'parameter',
  },
  unexpectedPart: {
    httpStatus: 400,
    domain: 'youtube.part',
    message: 'The request body holds a part that the part parameter does not name.',
    location: 'part',
    locationType: 'parameter',
  },
  missingRequiredFilter: {
    httpStatus: 400,
    domain: 'youtube.parameter',
    message: 'No filter selected. Expected one of: id, mine',
    location: 'parameters.',
    locationType: 'other',
  },
  invalidPageToken: {
    httpStatus: 400,
    domain: 'youtube.parameter',
    message: 'The request specifies an invalid page token.',
    location: 'pageToken',
    locationType: 'parameter',
  },
  playlistNotFound: {
    httpStatus: 404,
    domain: 'youtube.playlistItem',
    message: 'The playlist identified with the request’s playlistId parameter cannot be found.',
    location: 'playlistId',
    locationType: 'parameter',
  },
  // https://developers.google.com/youtube/v3/docs/playlistItems/insert#errors
  playlistIdRequired: {
    httpStatus: 400,
    domain: 'youtube.playlistItem',
    message: 'Playlist id not specified.',
  },
  resourceIdRequired: {
    httpStatus: 400,
    domain: 'youtube.playlistItem',
    message: 'Resource id not specified.',
  },
  invalidResourceType: {
    httpStatus: 400,
    domain: 'youtube.playlistItem',
    message: 'The type specified for the resource ID is not supported for this operation.',
  },
  playlistOperationUnsupported: {
    httpStatus: 400,
    domain: 'youtube.playlistItem',
    message: 'The API does not support the ability to insert videos into the specified playlist.',
    location: 'playlistId',
    locationType: 'parameter',
  },
  playlistItemsNotAccessible: {
    httpStatus: 403,
    domain: 'youtube.playlistItem',
    message: 'The request is not properly authorized to insert the specified playlist item.',
  },
  playlistContainsMaximumNumberOfVideos: {
    httpStatus: 403,
    domain: 'youtube.playlistItem',
    message: 'The playlist already contains the maximum allowed number of items.',
  },
  videoToAddNotFound: {
    httpStatus: 404,
    domain: 'youtube.playlistItem',
    reason: 'videoNotFound',
    message: 'Video not found.',
  },
  // https://developers.google.com/youtube/v3/docs/commentThreads/insert#errors
  channelOrVideoIdMissing: commentError(
    400,
    'Each comment thread must be linked to a video. Ensure that the resource specifies values for snippet.channelId and snippet.videoId.',
  ),
  commentTextRequired: commentError(
    400,
    'The comment resource must specify a value for snippet.topLevelComment.snippet.textOriginal. Comments cannot be empty.',
  ),
  commentTextTooLong: commentError(400, 'The comment text contains too many characters.'),
  commentForbidden: {
    ...commentError(
      403,
      'The comment thread could not be created due to insufficient permissions. The request might not be properly authorized.',
    ),
    reason: 'forbidden',
  },
  ineligibleAccount: commentError(
    403,
    "The YouTube account used to authorize the API request must be merged with the user's Google account to insert a comment.",
  ),
  commentsDisabled: commentError(403, 'The video identified by the videoId parameter has disabled comments.'),
  channelNotFound: commentError(404, 'The specified channel could not be found.'),
  videoToCommentNotFound: {
    ...commentError(404, 'The specified video could not be found.'),
    reason: 'videoNotFound',
  },
  // https://developers.google.com/youtube/v3/docs/playlistItems/delete#errors
  playlistItemNotFound: {
    httpStatus: 404,
    domain: 'youtube.playlistItem',
    message: 'The playlist item identified with the request’s id parameter cannot be found.',
  },
  // https://developers.google.com/youtube/v3/docs/videos/update#errors, .../videos/delete#errors
  videoToChangeNotFound: {
    httpStatus: 404,
    domain: 'youtube.video',
    reason: 'videoNotFound',
    message: 'The video that you are trying to change cannot be found.',
    location: 'id',
    locationType: 'parameter',
  },
  videoNotFound: {
    httpStatus: 404,
    domain: 'youtube.thumbnail',
    message: 'The video that you are trying to insert a thumbnail for cannot be found.',
    location: 'videoId',
    locationType: 'parameter',
  },
  invalidImage: {
    httpStatus: 400,
    domain: 'youtube.thumbnail',
    message: 'The provided image content is invalid.',
  },
  notFound: { httpStatus: 404, domain: 'global', message: 'Not Found' },
  backendError: { httpStatus: 503, domain: 'global', message: 'Backend Error' },
} as const satisfies Record<string, GoogleError>;

export type GoogleErrorReason = keyof typeof googleErrors;

export function isGoogleErrorReason(text: string): text is GoogleErrorReason {
  return Object.hasOwn(googleErrors, text);
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** Returns Google's error body for a reason. `message` replaces the default message. */
export function googleErrorBody(reason: GoogleErrorReason, message?: string) {
  const { httpStatus, domain, ...entry }: GoogleError = googleErrors[reason];
  const text = message ?? entry.message;
  const status = statusNames[httpStatus];
  return {
    error: {
      code: httpStatus,
      message: text,
      errors: [{ ...entry, message: text, domain, reason: entry.reason ?? reason }],
      ...(status === undefined ? {} : { status }),
    },
  };
}
