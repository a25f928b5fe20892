import type { ErrorCode } from '../../kernel/error-codes.ts';

/** The texts about an error for people. */
interface ErrorText {
  readonly meaning: string;
  readonly remedy: string;
}

const tryAgain = 'Send the request again.';
const connectAgain = 'Connect the account again.';
const validKey = 'Send a valid key as `Authorization: Bearer yay_…`.';
const otherFile = 'Upload a file that meets the limit in the message.';
const leaveOptionOut = 'Leave the option out, or change what the message names.';

/** The texts of all codes, for the pages below `/docs/errors` and for the API's document. */
export const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  invalid: {
    meaning: 'Something in the request is wrong.',
    remedy: 'Correct the field that `param` names. `details.problems` lists all wrong fields.',
  },
  body_malformed: {
    meaning: 'The body cannot be read: it is not JSON, not UTF-8, or nested too deeply.',
    remedy: 'Send a JSON object in UTF-8.',
  },
  field_required: {
    meaning: 'A field that the request needs is missing.',
    remedy: 'Send the field that `param` names.',
  },
  field_type: {
    meaning: 'A field has a value of the wrong JSON type, such as a number instead of a string.',
    remedy: 'Send a value of the type that the message names.',
  },
  field_format: {
    meaning: 'A field has the right type, but not the form that it must have: an id, a URL, a time.',
    remedy: 'Send a value of the form that the message names.',
  },
  field_too_short: {
    meaning: 'A text is empty or too short, or a list has too few entries.',
    remedy: 'Send at least the minimum that the message names, or leave the field out.',
  },
  field_too_long: {
    meaning: 'A text is too long, or a list has too many entries.',
    remedy: 'Shorten it to the limit that the message names.',
  },
  field_out_of_range: {
    meaning: 'A number or a date is too small or too large.',
    remedy: 'Send a value within the range that the message names.',
  },
  field_read_only: {
    meaning: 'Only responses have this field. It is ignored, with a warning.',
    remedy: 'Leave the field out, or ignore the warning.',
  },
  field_unknown: {
    meaning:
      'There is no such field. In a warning: it was ignored. In an error: ignoring it would change the result.',
    remedy: 'Correct the name of the field, or leave it out.',
  },
  field_unknown_value: {
    meaning: 'A field must have one of a few values, and this value is not one of them.',
    remedy: 'Send one of the values that the message names.',
  },
  field_duplicate: {
    meaning: 'The same thing is named twice.',
    remedy: 'Name it once.',
  },
  contradictory_fields: {
    meaning: 'Two fields of the request contradict each other.',
    remedy: 'Send one of them. The message names both.',
  },
  unknown_parameter: {
    meaning: 'The query has a parameter that the operation does not have.',
    remedy: 'Correct its name, or leave it out. The message names the nearest parameter, or all.',
  },
  unsupported_field: {
    meaning:
      'The body has a field that cannot have an effect here, and ignoring it would change the result. A post that goes live must not lack what its author asked for.',
    remedy:
      'Send what the message names instead, or leave the field out. In a change of a draft, send it as `null`.',
  },
  cursor_invalid: {
    meaning: 'The cursor does not belong to this list with these filters.',
    remedy: 'Pass `nextCursor` of the page before with the same filters, or start again without a cursor.',
  },
  post_too_large: {
    meaning: 'The post with its destinations is too large to be stored.',
    remedy: 'Shorten texts and options, or divide the destinations among several posts.',
  },
  range_empty: {
    meaning: 'The end of a period is not later than its beginning.',
    remedy: 'Send a `to` that is later than `from`. `to` itself is not part of the period.',
  },
  range_too_long: {
    meaning: 'The period is longer than one list may be.',
    remedy: 'Read at most 62 days at a time.',
  },
  incompatible_filters: {
    meaning: 'Two parameters of the list cannot be combined.',
    remedy: 'Leave out one of them. The message names both.',
  },
  time_in_past: {
    meaning: 'The time of publication is more than ten minutes in the past.',
    remedy: 'Choose a time in the future, or send `publishNow`.',
  },
  time_too_far: {
    meaning: 'The time of publication is more than a year ahead.',
    remedy: 'Choose a time within a year.',
  },
  slot_unavailable: {
    meaning: 'The rhythm of the accounts has no free slot within 90 days.',
    remedy: 'Add slots to the rhythm, or send a time as `scheduledFor`.',
  },
  quota_exhausted: {
    meaning:
      'The platform limits how much this service publishes per day, and no place is left on this day for the workspace.',
    remedy: 'Choose another day, or send `onQuota: "wait"`, which publishes on the next day with a place.',
  },
  account_unknown: {
    meaning: 'There is no such account: it never existed, is disconnected, or belongs to another workspace.',
    remedy: 'Use an id of `GET /v1/accounts`.',
  },
  account_platform: {
    meaning: 'The account is not on the platform that the request needs.',
    remedy: 'Use an account of the platform that the message names.',
  },
  platform_unsupported: {
    meaning: 'The service cannot do this on the platform yet.',
    remedy: 'Leave the platform out.',
  },
  feature_missing: {
    meaning:
      'The account cannot use a feature that the request needs: the operator has not enabled it, or the platform has not granted it.',
    remedy:
      'Connect the account again with all permissions, ask the operator, or leave out the part that needs the feature.',
  },
  platform_rejected: {
    meaning: 'The platform does not accept the request. The message is its answer.',
    remedy: 'Correct what the message names.',
  },
  redirect_host_not_allowed: {
    meaning: 'The operator has not allowed the host of `redirectUrl` for this workspace.',
    remedy: 'Use a host that is allowed, or ask the operator to allow this one.',
  },
  claim_code_wrong: {
    meaning: 'The code does not belong to this attempt to connect.',
    remedy: 'Send the code that your `redirectUrl` received.',
  },
  url_not_allowed: {
    meaning:
      'Events cannot be sent to this URL, or a file cannot be fetched from it: it is not a public https address, or its host cannot be found.',
    remedy: 'Use a public https URL whose host resolves.',
  },
  too_many_webhooks: {
    meaning: 'The workspace has as many webhooks as it may have.',
    remedy: 'Delete one, or add events to an existing one.',
  },
  too_many_tags: {
    meaning: 'The workspace has as many tags as it may have, and the request names a new one.',
    remedy: 'Delete tags that nobody needs, or use existing ones.',
  },
  too_many_snippets: {
    meaning: 'The workspace has as many saved texts as it may have.',
    remedy: 'Delete one that nobody needs.',
  },
  snippet_unknown: {
    meaning: 'No saved text of the workspace has this id; it may have been deleted.',
    remedy: 'List the saved texts with `GET /v1/snippets`.',
  },

  content_required: {
    meaning:
      'The platform needs a text, and the destination has neither a text nor anything that could replace it.',
    remedy: 'Send `content`, or what the message names.',
  },
  content_too_long: {
    meaning: 'The text is longer than the platform allows.',
    remedy: 'Shorten it, or give the destination a `customContent` of its own.',
  },
  content_hashtags: {
    meaning: 'The text has more hashtags than the platform allows.',
    remedy: 'Remove some of them.',
  },
  content_mentions: {
    meaning: 'The text mentions more people than the platform allows.',
    remedy: 'Remove some of the mentions.',
  },
  content_links: {
    meaning: 'The text has more links than the platform allows.',
    remedy: 'Remove some of them.',
  },
  content_characters: {
    meaning: 'The text has characters that the platform does not allow.',
    remedy: 'Remove the characters that the message names.',
  },
  content_ignored: {
    meaning: 'A warning: the platform takes no text with such a post, so it is left out.',
    remedy: 'Nothing, if the post is right without its text.',
  },
  link_unreadable: {
    meaning: 'A warning: the page of a link could not be read, so the post goes live without a card for it.',
    remedy:
      'Nothing, if the post is right without it. Otherwise send the text again once the page can be read, or send `platformSpecificData.link` with a `title`.',
  },
  alt_text_too_long: {
    meaning: 'An alternative text is longer than the platform allows.',
    remedy: 'Shorten it to what the message names.',
  },
  alt_text_ignored: {
    meaning: 'A warning: the platform takes no alternative text for this file, so it is left out.',
    remedy: 'Nothing, if the post is right without it.',
  },
  cover_not_supported: {
    meaning: 'The platform takes no cover file with such a post.',
    remedy: 'Leave `coverUrl` out, or set the option that the message names.',
  },
  media_unchecked: {
    meaning: 'A warning: the file is at another server, and was not fetched to answer this request.',
    remedy: 'Nothing, or import the file first with `POST /v1/media`.',
  },
  media_unknown: {
    meaning: 'The URL is on the media host, but is not the `publicUrl` of a file of this workspace.',
    remedy:
      'Upload the file with `POST /v1/media/presign`, and send its `publicUrl`, or send the address of the file at another server.',
  },
  media_unusable: {
    meaning:
      'The file was uploaded, but it cannot be used: it is damaged, or its content does not match its type.',
    remedy: 'Upload the file again, in a type that the service accepts.',
  },
  media_required: {
    meaning: 'The platform needs an image or a video.',
    remedy: 'Add one to `mediaItems`.',
  },
  media_count: {
    meaning:
      'The platform does not take this number of files, or this mix of images and videos, in one post.',
    remedy: 'Send the files that the message names. `customMedia` gives a destination files of its own.',
  },
  media_type: {
    meaning:
      'The platform does not take this type of file here. Still pictures are converted to JPEG, and videos are moved to another container if their codecs allow that; this file cannot be.',
    remedy: 'Upload the file in a type that the message names, or run the command that it has for a video.',
  },
  media_too_large: {
    meaning: 'The file has more bytes than allowed.',
    remedy: otherFile,
  },
  media_too_small: {
    meaning: 'The file has fewer bytes than the platform demands.',
    remedy: otherFile,
  },
  media_duration: {
    meaning: 'The video is shorter or longer than the platform allows.',
    remedy: 'Cut it to a length within the range that the message names.',
  },
  media_ratio: {
    meaning: 'The ratio of width to height is not one that the platform allows.',
    remedy:
      'For a picture, set `fit` to `pad` or `crop` at the media item or the destination. Crop a video to a ratio within the range that the message names, or run the command that it has.',
  },
  media_resolution: {
    meaning:
      'The image or the video has more or fewer pixels than the platform allows. Large pictures are scaled down; nothing is scaled up. Pictures that must have the same size keep their shapes unless `fit` says otherwise.',
    remedy:
      'Scale it to a size that the message names, run the command that it has for a video, or set `fit`.',
  },
  media_codec: {
    meaning: 'The platform does not take the codec of the video or of its sound.',
    remedy: 'Encode the video with a codec that the message names.',
  },
  media_chroma: {
    meaning: "The video's colors are stored with a chroma subsampling that the platform does not take.",
    remedy: 'Encode the video with the subsampling that the message names (ffmpeg: `-pix_fmt yuv420p`).',
  },
  media_scan: {
    meaning: 'The video is interlaced, and the platform takes progressive ones only.',
    remedy: 'Deinterlace the video (ffmpeg: `-vf yadif`).',
  },
  media_channels: {
    meaning: "The video's sound has more channels than the platform allows.",
    remedy: 'Mix the sound down to the number of channels that the message names (ffmpeg: `-ac 2`).',
  },
  media_sample_rate: {
    meaning: "The video's sound has a higher sample rate than the platform allows.",
    remedy: 'Encode the sound with the sample rate that the message names.',
  },
  media_frame_rate: {
    meaning: 'The video has more or fewer frames per second than the platform allows.',
    remedy: 'Encode the video with a frame rate within the range that the message names.',
  },
  media_bit_rate: {
    meaning: 'The video has a higher bit rate than the platform allows.',
    remedy: 'Encode the video with a lower bit rate.',
  },
  media_structure: {
    meaning:
      "A warning: the order, the fragments or the edit lists of the video's file are not what the platform advises, and the file cannot be repaired without encoding it again.",
    remedy: 'If the platform refuses the video, encode it with fast start and without edit lists.',
  },
  media_unmeasured: {
    meaning:
      'A warning: a property of the file could not be measured, so the limit of the platform was not checked.',
    remedy: 'Make sure that the file meets the limit that the message names.',
  },
  option_required: {
    meaning: 'An option that the platform demands is missing from `platformSpecificData`.',
    remedy: 'Send the option that `param` names.',
  },
  option_unknown: {
    meaning:
      'The platform has no such option. In a warning: it is ignored. In an error: its name is close to that of an option, and ignoring it would change the post.',
    remedy: 'Correct its name if the message names an option, or leave it out.',
  },
  option_invalid: {
    meaning: 'An option in `platformSpecificData` has a value that the platform does not accept.',
    remedy: 'Send a value that the message names.',
  },
  option_not_supported: {
    meaning:
      'The platform or another client has this option, and this service does not offer it. Ignoring it would change the post.',
    remedy: 'Leave it out, or use what the message names instead.',
  },
  option_not_applicable: {
    meaning:
      'The option is not for posts or files of this kind, or it cannot be combined with another option.',
    remedy: leaveOptionOut,
  },

  key_missing: {
    meaning: 'The request has no `Authorization` header.',
    remedy: validKey,
  },
  key_malformed: {
    meaning: 'The `Authorization` header does not contain an API key: `Bearer yay_…`.',
    remedy: `${validKey} Check that it was copied as a whole.`,
  },
  key_unknown: {
    meaning: 'The API key is revoked, or never existed. Both look the same.',
    remedy: 'Use another key, or ask the operator for a new one.',
  },
  key_expired: {
    meaning: 'The API key has expired.',
    remedy: 'Use another key, or ask the operator for a new one.',
  },
  signature_wrong: {
    meaning: 'The signature of a callback is missing or wrong, so the platform has not sent it.',
    remedy: 'Only platforms call this route.',
  },

  session_missing: {
    meaning: 'The request has no cookie of a session. Only the panel calls this route.',
    remedy: 'Sign in to the panel.',
  },
  session_ended: {
    meaning: 'The session has ended: it was too old, was not used for 12 hours, or was ended by somebody.',
    remedy: 'Sign in to the panel again.',
  },

  permission_missing: {
    meaning: 'The API key, or the role of the person, lacks what the message names.',
    remedy: 'Use a key with the permission, or ask an owner of the workspace.',
  },
  key_in_panel: {
    meaning: 'The request has an API key and was sent to the address of the panel, which takes none.',
    remedy: 'Send it to the address of the API.',
  },
  cross_site: {
    meaning: 'A page of another site, or of another host, has sent the request with the cookie of a session.',
    remedy: 'Use the panel itself.',
  },
  sign_in_again: {
    meaning: 'This request requires a sign-in within the last ten minutes.',
    remedy: 'Sign in again, then repeat the request.',
  },
  key_limited_to_accounts: {
    meaning:
      'The API key is limited to some accounts, and the request is about all accounts of the workspace.',
    remedy: 'Use a key without this limit.',
  },
  workspace_suspended: {
    meaning: 'The operator has suspended the workspace.',
    remedy: 'Ask the operator of the service.',
  },

  not_found: {
    meaning: 'It does not exist, or it belongs to another workspace. Both look the same.',
    remedy: 'Check the id, and that the key belongs to the right workspace.',
  },
  route_unknown: {
    meaning: 'The API has no such path.',
    remedy: 'Check the path. `/docs` lists all of them.',
  },

  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use a method of the `Allow` header.',
  },

  not_in_herald: {
    meaning:
      'The request, to the addresses for users of Zernio’s SDK, asks for something that this service does not have.',
    remedy: 'The message names it. Nothing was done. `docs/from-zernio.md` lists all differences.',
  },

  conflict: {
    meaning: 'The present state does not allow this.',
    remedy: 'Read it again. The message says which state is in the way.',
  },
  changed_concurrently: {
    meaning: 'Other requests changed the same thing at the same time. Nothing was changed by this one.',
    remedy: tryAgain,
  },
  post_changed: {
    meaning: 'The post has changed since the version in `ifVersion`. Nothing was changed by this request.',
    remedy: 'Read the post again, look at what has changed, and send its `approval.version`.',
  },
  post_publishing: {
    meaning: 'The post is being published at this moment.',
    remedy: 'Wait until it is published or has failed.',
  },
  post_live: {
    meaning: 'The post is live at a platform, so it can no longer be changed or deleted here.',
    remedy: 'Change or delete it at the platform.',
  },
  post_failed: {
    meaning:
      'A destination of the post has failed after something was sent for it, so the post can no longer be changed.',
    remedy: 'Retry the post, or create a new one.',
  },
  nothing_to_retry: {
    meaning: 'No destination of the post has failed.',
    remedy: 'Nothing: there is nothing to retry.',
  },
  retries_exhausted: {
    meaning: 'A destination was tried too often.',
    remedy: 'Create a new post.',
  },
  post_not_live: {
    meaning: 'The destination is not live, so there is nothing to take down.',
    remedy: 'Delete a post that has not gone live with `DELETE /v1/posts/{id}`.',
  },
  removal_by_person: {
    meaning:
      "This service cannot delete the post: the platform's API has no such call, or the account lacks the permission. The message says which.",
    remedy:
      'Delete the post at the platform, at `permalink`; or connect the account again if the message says so. To take down the other destinations, name them in `accountIds`.',
  },
  nothing_to_resolve: {
    meaning: 'The destination has not failed with an unknown outcome.',
    remedy: 'Nothing: read the post to see its outcome.',
  },
  already_resolved: {
    meaning: 'A person has already said what became of the destination, and said something else.',
    remedy: 'Read the post. If the destination is not live, it can be retried.',
  },
  call_may_take_effect: {
    meaning:
      'The request to publish the destination may still take effect, so nobody can know that it is not live.',
    remedy: 'Look again later, or retry the post: the retry asks the platform first.',
  },
  platform_post_taken: {
    meaning: 'Another destination, or another part of the same thread, has this post of the platform.',
    remedy:
      'Check `platformPostId`: each post of a platform is the post of one destination, or one part of it.',
  },
  idempotency_key_foreign: {
    meaning: 'The idempotency key was used for another request.',
    remedy: 'Use a new key for each new request.',
  },
  external_id_taken: {
    meaning: 'The request has `externalIdUnique`, and another post has this `externalId`.',
    remedy: 'Change the post that has it: the message names it, or `GET /v1/posts?externalId=` finds it.',
  },
  media_in_use: {
    meaning: 'A scheduled post uses the file, or so many posts have used it that this cannot be excluded.',
    remedy: 'Delete the post first, or wait until it is published.',
  },
  media_pending: {
    meaning:
      'A file of the draft has not arrived yet, so nobody can have seen what would be published. Nothing was changed.',
    remedy: 'Wait until the file is `ready`, look at the post, and approve it then.',
  },
  upload_incomplete: {
    meaning: 'Parts of the file have not arrived.',
    remedy: 'Get their URLs with `GET /v1/media/{id}/parts`, send them, and complete the upload then.',
  },
  upload_ended: {
    meaning: 'An upload in parts has ended: it was completed, cancelled, or not completed within a day.',
    remedy: 'If `GET /v1/media/{id}` still shows it as `pending`, get another grant and send the file again.',
  },
  account_expired: {
    meaning: 'The platform no longer accepts the access that its user gave to this account.',
    remedy: connectAgain,
  },
  account_refused: {
    meaning: 'The platform refuses this for the account. The message says why.',
    remedy: `Solve at the platform what the message names. ${connectAgain}`,
  },
  claim_not_requested: {
    meaning: 'The attempt to connect was begun without `claim`, so there is nothing to claim.',
    remedy: 'Read the status of the attempt.',
  },
  claim_not_confirmed: {
    meaning: 'The user has not yet confirmed the attempt to connect.',
    remedy: 'Wait until your `redirectUrl` receives the code.',
  },
  claim_code_expired: {
    meaning: 'The code of the attempt to connect was not claimed within ten minutes.',
    remedy: 'Begin a new attempt.',
  },
  webhook_exists: {
    meaning: 'Another webhook of the workspace has this URL.',
    remedy:
      'Find it with `GET /v1/webhooks`, and change it, or delete it. If its secret is lost, `POST /v1/webhooks/{id}/rotate-secret` returns a new one.',
  },
  webhook_disabled: {
    meaning: 'The webhook is disabled and receives nothing.',
    remedy: 'Set `isActive: true` first.',
  },
  delivery_pending: {
    meaning: 'The delivery is still pending, so it is attempted anyway.',
    remedy: 'Wait for its attempts to end.',
  },
  event_feed_off: {
    meaning: 'The event feed of the workspace was turned off, so it has no events.',
    remedy: 'Turn it on with `PATCH /v1/workspace` and `eventFeed: true`. It begins anew then.',
  },
  replay_in_progress: {
    meaning: 'The webhook still has a replay that has not made all of its deliveries.',
    remedy: 'Try again in a minute or later.',
  },
  events_expired: {
    meaning:
      'Events after this cursor or time are no longer kept, so what follows would have a hole: they are too old, or the event feed was turned off in between.',
    remedy:
      'Read what you need from the resources themselves, then continue with the `oldestCursor` of the response.',
  },

  member_exists: {
    meaning: 'Somebody with this email address is a member already, or is invited.',
    remedy: 'Change the role of that member instead.',
  },
  last_owner: {
    meaning: 'This change would leave the workspace without an owner.',
    remedy: 'Make another member an owner first.',
  },

  storage_quota_exceeded: {
    meaning: "The workspace's storage quota is used up.",
    remedy: 'Delete files, or wait until published files are cleaned up.',
  },

  rate_limited: {
    meaning: 'There were too many requests in this minute. The message names the limit.',
    remedy: 'Wait for the seconds in `Retry-After`, then send the request again.',
  },
  too_many_imports: {
    meaning:
      'The workspace has as many open imports of files as it may have, or the request would open too many. The message has both numbers and the limit. Nothing of the request is stored; in a request with several posts, nothing of this post.',
    remedy:
      'Wait for the seconds in `Retry-After`, or a minute for one of several posts, and send it again. An import is open until its file is `ready` or `invalid`; deleting a file that you do not need ends its import.',
  },

  unavailable: {
    meaning: 'The service cannot do this now.',
    remedy:
      'Send the request again after the seconds in `Retry-After`. If that does not help, ask the operator.',
  },
  platform_unavailable: {
    meaning: 'The platform does not answer, or asks to wait.',
    remedy: 'Send the request again after the seconds in `Retry-After`.',
  },
  platform_not_configured: {
    meaning: 'The operator has not set up the platform in this service.',
    remedy: 'Ask the operator of the service.',
  },
  slots_contended: {
    meaning: 'Too many posts claim slots of the same account at the same time.',
    remedy: 'Send the request again after the seconds in `Retry-After`.',
  },
  not_started: {
    meaning:
      'The time limit of a request with several posts passed before work on this post began. It is not stored.',
    remedy: 'Send the request again with the same idempotency keys: posts that exist are not created again.',
  },

  internal: {
    meaning: 'There is an error in the service.',
    remedy: 'Send the request again, and quote `X-Request-Id` if you report it.',
  },
};
