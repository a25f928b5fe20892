import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { streamingOperation } from '../kit/router.ts';
import type { Answer, Operation } from '../kit/types.ts';
import { unknownPath } from '../meta/graph-errors.ts';
import { refuse } from './errors.ts';
import { apiVersions, type Graph } from './graph.ts';
import type { State } from './state.ts';
import type { VideoFiles } from './video-files.ts';

/**
 * Returns the operations of the upload host of reels and video stories. Only hosted files are supported: their address is in the
 * header `file_url`, and the token in `Authorization: OAuth`.
 */
export function uploadOperations(graph: Graph, state: State, files: VideoFiles): Operation[] {
  function upload(call: Call): Answer {
    call.body.resume();
    if (!apiVersions.includes(call.params['version'] ?? '')) return unknownPath(call);
    if (!/^OAuth /.test(call.headers.authorization ?? '')) refuse('190');
    const { page } = graph.checkPageCall(call, 'pages_manage_posts');
    const video = state.videos.get(call.params['videoId'] ?? '');
    if (video === undefined || video.pageId !== page.id || video.kind === 'video') return refuse('100/33');
    const fileUrl = call.headers['file_url'];
    if (typeof fileUrl !== 'string')
      return failed('PartialRequestError', 'Neither file_url nor bytes were sent');
    if (/(^|\.)fbcdn\.net$/.test(URL.parse(fileUrl)?.hostname ?? '')) {
      return failed('ProcessingFailedError', 'Files of fbcdn cannot be fetched');
    }
    if (video.fileUrl === undefined) {
      state.videos.put(video.id, { ...video, fileUrl });
      files.fetch(video.id, fileUrl);
    }
    return json({ success: true, message: 'Upload started' });
  }

  return [
    streamingOperation('rupload', 'POST', 'rupload.facebook.com/video-upload/:version/:videoId', upload),
  ];
}

/** Returns an error in the upload host's own format. */
function failed(type: string, message: string): Answer {
  return json({ debug_info: { retriable: false, type, message } }, 400);
}
