import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { liveMedia, type MeasuredMedia, measureMedia } from '../kit/media/media-intake.ts';
import type { Random } from '../kit/random.ts';
import { operation, streamingOperation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { Gate } from './gate.ts';
import { type Media, nextMediaId, type State } from './state.ts';
import { readUploadForm, requireUploadHeaders, s3Refusal } from './upload-form.ts';

/** A step that is not a request. A planned fault `error:<reason>` fails it; `timeout` makes it never end. */
export const processingStep = 'media_processing';

const uploadHost = 'pinterest-media-upload.s3-accelerate.amazonaws.com';
const maxBytes = 2 * 1024 ** 3;

/** Registers videos, accepts their upload to S3, and reports their status. */
export function mediaOperations(
  { ledger, setting, faults, clock, random }: Workbench,
  { media }: State,
  gate: Gate,
): Operation[] {
  function register(call: Call): Answer {
    const { username } = gate.checkCall(call, 'write', ['pins:read', 'pins:write']);
    if (call.fields['media_type'] !== 'video') {
      refuse('400/1', `'${String(call.fields['media_type'])}' is not one of ['video']`);
    }
    const id = nextMediaId(ledger);
    const parameters = formParameters(id, call.at, random);
    media.put(id, { id, username, parameters, registeredAt: call.at });
    const upload = { upload_url: `https://${uploadHost}/`, upload_parameters: parameters };
    return json({ media_id: id, media_type: 'video', ...upload }, 201);
  }

  /** Accepts a form as S3 does: exactly the fields from the registration, then the file as the last field. */
  async function upload(call: Call): Promise<Answer> {
    requireUploadHeaders(call.headers, maxBytes);
    const { fields, file } = await readUploadForm(call);
    const [id = ''] = (fields['key'] ?? '').split('/').slice(-1);
    const registered = media.get(id);
    if (registered === undefined) throw s3Refusal(403, 'AccessDenied', 'Invalid according to Policy');
    requirePolicy(registered, fields);
    if (call.at >= registered.registeredAt + uploadSeconds() * 1000) {
      throw s3Refusal(403, 'AccessDenied', 'Invalid according to Policy: Policy expired.');
    }
    const measured = await measureMedia(file(), 'video/mp4');
    const planned = faults.take(processingStep);
    const failure = planned ? (planned.code ?? 'failed') : problemOf(measured);
    media.put(id, {
      ...registered,
      file: liveMedia(measured),
      processedAt:
        planned?.fault === 'timeout' ? null : clock.now() + Number(setting('videoProcessingSeconds')) * 1000,
      ...(failure !== undefined && { failure }),
    });
    return { status: 204, headers: { server: 'AmazonS3' } };
  }

  const uploadSeconds = () => Number(setting('uploadSeconds'));

  function status(call: Call): Answer {
    const { username } = gate.checkCall(call, 'read', ['pins:read']);
    const found = media.get(call.params['mediaId'] ?? '');
    if (found === undefined || found.username !== username) return refuse('404/4134');
    return json({ media_id: found.id, media_type: 'video', status: statusOf(found, call.at) });
  }

  return [
    operation('media.create', 'POST', 'api.pinterest.com/v5/media', register),
    operation('media.get', 'GET', 'api.pinterest.com/v5/media/:mediaId', status),
    streamingOperation('media.upload', 'POST', `${uploadHost}/`, upload),
  ];
}

/** @param now epoch milliseconds */
export function statusOf({ file, processedAt, failure }: Media, now: number) {
  if (file === undefined || processedAt === undefined) return 'registered';
  if (processedAt === null || now < processedAt) return 'processing';
  return failure === undefined ? 'succeeded' : 'failed';
}

function requirePolicy({ parameters }: Media, fields: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (fields[name] !== value) {
      throw s3Refusal(403, 'AccessDenied', `Invalid according to Policy: Policy Condition failed: ${name}`);
    }
  }
  const extra = Object.keys(fields).find((name) => parameters[name] === undefined);
  if (extra !== undefined) {
    throw s3Refusal(403, 'AccessDenied', `Invalid according to Policy: Extra input fields: ${extra}`);
  }
}

function formParameters(id: string, at: number, random: Random): Readonly<Record<string, string>> {
  const day = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const secret = () => random.bytes(32).toString('hex');
  return {
    'x-amz-date': day,
    'x-amz-signature': secret(),
    'x-amz-security-token': Buffer.from(secret()).toString('base64'),
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    key: `uploads/${day.slice(0, 8)}/${id}`,
    policy: Buffer.from(JSON.stringify({ key: id })).toString('base64'),
    'x-amz-credential': `ASIAEXAMPLE/${day.slice(0, 8)}/us-east-1/s3/aws4_request`,
    'Content-Type': 'multipart/form-data',
  };
}

function problemOf({ mp4 }: MeasuredMedia): string | undefined {
  if (mp4?.video === undefined) return 'not a video';
  if (!['avc1', 'avc3', 'hvc1', 'hev1'].includes(mp4.video.codec)) return 'codec';
  const ratio = mp4.video.width / mp4.video.height;
  if (mp4.durationSeconds < 4 || mp4.durationSeconds > 15 * 60) return 'duration';
  return ratio < 0.5 || ratio > 1.91 ? 'aspect ratio' : undefined;
}
