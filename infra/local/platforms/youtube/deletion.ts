import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { type Gate, refusal } from './gate.ts';
import { manageScopes } from './scopes.ts';
import type { State } from './state.ts';

/** `videos.delete`: deletes one of the caller's videos. https://developers.google.com/youtube/v3/docs/videos/delete */
export function deletionOperation({ ledger }: Workbench, { videos }: State, gate: Gate): Operation {
  function remove(call: Call): Answer {
    const { channelId } = gate.checkCall(call, manageScopes);
    gate.charge('videos.delete', call.at);
    const id = call.query.get('id');
    if (id === null) throw refusal('missingRequiredParameter', 'Missing parameter: id');
    const video = videos.get(id);
    if (video === undefined) throw refusal('videoNotFound');
    if (video.channelId !== channelId) throw refusal('forbidden');
    ledger.transaction(() => {
      videos.delete(id);
      ledger.posts.delete(id);
    });
    return { status: 204 };
  }
  return operation('videos.delete', 'DELETE', 'www.googleapis.com/youtube/v3/videos', remove);
}
