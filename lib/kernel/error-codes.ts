/** The kind of an error, which determines what a caller can do about it. Each kind has one HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'storage_quota_exceeded'
  | 'rate_limited'
  | 'unsupported'
  | 'unavailable'
  | 'internal';

/**
 * The stable codes of all errors with their kinds: one code for each cause that a program may treat differently. A code named
 * like a kind covers the causes of that kind that no program needs to distinguish. Each has a meaning and a remedy in
 * `lib/api-contract/errors/texts.ts`, which is not in the bundles of most functions.
 */
export const errorCodes = {
  // Codes of the request itself.
  invalid: 'invalid',
  body_malformed: 'invalid',
  field_required: 'invalid',
  field_type: 'invalid',
  field_format: 'invalid',
  field_too_short: 'invalid',
  field_too_long: 'invalid',
  field_out_of_range: 'invalid',
  field_unknown: 'invalid',
  field_read_only: 'invalid',
  field_unknown_value: 'invalid',
  field_duplicate: 'invalid',
  contradictory_fields: 'invalid',
  unknown_parameter: 'invalid',
  unsupported_field: 'invalid',
  cursor_invalid: 'invalid',
  post_too_large: 'invalid',
  range_empty: 'invalid',
  range_too_long: 'invalid',
  incompatible_filters: 'invalid',
  time_in_past: 'invalid',
  time_too_far: 'invalid',
  slot_unavailable: 'invalid',
  quota_exhausted: 'invalid',
  account_unknown: 'invalid',
  account_platform: 'invalid',
  platform_unsupported: 'invalid',
  feature_missing: 'invalid',
  platform_rejected: 'invalid',
  redirect_host_not_allowed: 'invalid',
  claim_code_wrong: 'invalid',
  url_not_allowed: 'invalid',
  too_many_webhooks: 'invalid',
  too_many_tags: 'invalid',
  too_many_snippets: 'invalid',
  snippet_unknown: 'invalid',
  // Codes of the platforms' rules: `lib/platforms/contract/rules.ts`.
  content_required: 'invalid',
  content_too_long: 'invalid',
  content_hashtags: 'invalid',
  content_mentions: 'invalid',
  content_links: 'invalid',
  content_characters: 'invalid',
  content_ignored: 'invalid',
  link_unreadable: 'invalid',
  alt_text_too_long: 'invalid',
  alt_text_ignored: 'invalid',
  cover_not_supported: 'invalid',
  media_unknown: 'invalid',
  media_unchecked: 'invalid',
  media_unusable: 'invalid',
  media_required: 'invalid',
  media_count: 'invalid',
  media_type: 'invalid',
  media_too_large: 'invalid',
  media_too_small: 'invalid',
  media_duration: 'invalid',
  media_ratio: 'invalid',
  media_resolution: 'invalid',
  media_codec: 'invalid',
  media_chroma: 'invalid',
  media_scan: 'invalid',
  media_channels: 'invalid',
  media_sample_rate: 'invalid',
  media_frame_rate: 'invalid',
  media_bit_rate: 'invalid',
  media_structure: 'invalid',
  media_unmeasured: 'invalid',
  option_required: 'invalid',
  option_unknown: 'invalid',
  option_invalid: 'invalid',
  option_not_supported: 'invalid',
  option_not_applicable: 'invalid',

  key_missing: 'unauthorized',
  key_malformed: 'unauthorized',
  key_unknown: 'unauthorized',
  key_expired: 'unauthorized',
  signature_wrong: 'unauthorized',
  session_missing: 'unauthorized',
  session_ended: 'unauthorized',

  permission_missing: 'forbidden',
  key_limited_to_accounts: 'forbidden',
  workspace_suspended: 'forbidden',
  key_in_panel: 'forbidden',
  cross_site: 'forbidden',
  sign_in_again: 'forbidden',

  not_found: 'not_found',
  route_unknown: 'not_found',

  method_not_allowed: 'method_not_allowed',

  not_in_herald: 'unsupported',

  conflict: 'conflict',
  changed_concurrently: 'conflict',
  post_changed: 'conflict',
  post_publishing: 'conflict',
  post_live: 'conflict',
  post_not_live: 'conflict',
  removal_by_person: 'conflict',
  post_failed: 'conflict',
  nothing_to_retry: 'conflict',
  retries_exhausted: 'conflict',
  nothing_to_resolve: 'conflict',
  already_resolved: 'conflict',
  call_may_take_effect: 'conflict',
  platform_post_taken: 'conflict',
  idempotency_key_foreign: 'conflict',
  external_id_taken: 'conflict',
  media_in_use: 'conflict',
  media_pending: 'conflict',
  upload_incomplete: 'conflict',
  upload_ended: 'conflict',
  account_expired: 'conflict',
  account_refused: 'conflict',
  claim_not_requested: 'conflict',
  claim_not_confirmed: 'conflict',
  claim_code_expired: 'conflict',
  webhook_exists: 'conflict',
  webhook_disabled: 'conflict',
  delivery_pending: 'conflict',
  event_feed_off: 'conflict',
  replay_in_progress: 'conflict',
  member_exists: 'conflict',
  last_owner: 'conflict',

  events_expired: 'gone',

  storage_quota_exceeded: 'storage_quota_exceeded',

  rate_limited: 'rate_limited',
  too_many_imports: 'rate_limited',

  unavailable: 'unavailable',
  platform_unavailable: 'unavailable',
  platform_not_configured: 'unavailable',
  slots_contended: 'unavailable',
  not_started: 'unavailable',

  internal: 'internal',
} as const satisfies Readonly<Record<string, ErrorKind>>;

export type ErrorCode = keyof typeof errorCodes;

/** The codes of errors about the request itself. */
export type InvalidCode = {
  [Code in ErrorCode]: (typeof errorCodes)[Code] extends 'invalid' ? Code : never;
}[ErrorCode];
