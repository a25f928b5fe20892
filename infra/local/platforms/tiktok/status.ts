import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse, success } from './errors.ts';
import type { Gate } from './gate.ts';
import type { Publish, State } from './state.ts';

/** Returns the operations for the status of a post (guide "Get Post Status"). */
export function statusOperations(
  { reads, setting }: Workbench,
  { publishes }: State,
  gate: Gate,
): Operation[] {
  function fetchStatus(call: Call): Answer {
    const { user } = gate.checkCall(call, ['video.publish', 'video.upload'], 'status');
    const { publish_id: id } = call.fields;
    return reads.ofState(call, ({ at }) => {
      const publish = typeof id === 'string' ? publishes.get(id) : undefined;
      if (publish === undefined) refuse('invalid_publish_id');
      if (publish.username !== user.username) refuse('token_not_authorized_for_specified_publish_id');
      return success(describe(publish, at));
    });
  }

  function describe({ end, upload, info, isDraft }: Publish, at: number): string {
    if (end === undefined || end.at === null || at < end.at) {
      return upload === undefined
        ? JSON.stringify({ status: 'PROCESSING_DOWNLOAD', downloaded_bytes: 0 })
        : JSON.stringify({ status: 'PROCESSING_UPLOAD', uploaded_bytes: upload.storedBytes });
    }
    if (end.failReason !== undefined) {
      return JSON.stringify({ status: 'FAILED', fail_reason: end.failReason });
    }
    if (isDraft && end.postId === undefined) return JSON.stringify({ status: 'SEND_TO_USER_INBOX' });
    // Only public posts get an id, after moderation. It is a JSON number although it exceeds the safe integers.
    const delayMs = Number(setting('postIdDelaySeconds')) * 1000;
    const isPublic = info.privacy_level === 'PUBLIC_TO_EVERYONE' && at >= end.at + delayMs;
    return `{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[${isPublic ? end.postId : ''}]}`;
  }

  return [
    operation('status.fetch', 'POST', 'open.tiktokapis.com/v2/post/publish/status/fetch/', fetchStatus),
  ];
}
