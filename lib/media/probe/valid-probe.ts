import { MediaProbe } from '../schemas.ts';

/** What a probe read from a file, unchecked: each value is whatever the file's author wrote. */
export type ProbedFields = { readonly [Name in keyof MediaProbe]?: unknown };

/**
 * Drops every field that is not valid, so that the rest can be stored and listed. Width and height are valid only
 * together.
 */
export function validProbe(fields: ProbedFields): MediaProbe {
  const names = Object.keys(MediaProbe.shape) as (keyof MediaProbe)[];
  const valid = names.flatMap((name) => {
    const { success, data } = MediaProbe.shape[name].safeParse(fields[name]);
    return success && data !== undefined ? [[name, data] as const] : [];
  });
  const { width, height, ...others }: MediaProbe = Object.fromEntries(valid);
  return width === undefined || height === undefined ? others : { width, height, ...others };
}

/** The properties that platforms limit, which every video has. */
const ofVideos = ['width', 'durationMs', 'videoCodec', 'frameRate', 'chroma', 'scan'] as const;
/** Those that every video with sound has too. */
const ofSounds = ['audioCodec', 'audioSampleRate', 'audioChannels'] as const;

/** Names the properties of a video that it must have, and that could not be measured. */
export function withUnknown(probe: MediaProbe): MediaProbe {
  const expected = [...ofVideos, ...(probe.hasSound ? ofSounds : [])];
  const unknown = expected.filter((name) => probe[name] === undefined);
  return unknown.length === 0 ? probe : { ...probe, unknown };
}
