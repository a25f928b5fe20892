import { useEffect, useId, useRef, useState } from 'react';
import type { Platform } from '../../platforms/contract/names.ts';
import { platformTitles } from '../accounts/platforms.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Muted, Row, Stack } from '../components/layout.tsx';
import { words } from '../words/words.ts';
import { acceptedImages } from './accepted.ts';
import { FilePicker } from './add-files.tsx';
import { takesCoverImage, takesFrame } from './cover.ts';
import classes from './cover-section.module.css';
import { type CoverChoice, type DraftMedia, formatFrame, shownAddressOf } from './draft-media.ts';
import { Picture } from './picture.tsx';
import { UploadList } from './upload-list.tsx';
import { addFiles, cancelUpload, forgetUploads, uploads } from './uploads.ts';

const list = new Intl.ListFormat('en-GB');
const titlesOf = (platforms: readonly Platform[]) =>
  list.format([...new Set(platforms)].map((platform) => platformTitles[platform]));

interface CoverSectionProps {
  video: DraftMedia;
  cover: CoverChoice;
  owner: string;
  platforms: readonly Platform[];
  isDisabled: boolean;
  onChange: (cover: CoverChoice) => void;
}

/** The choice of a video's cover: a frame, or an image. */
export function CoverSection({ video, cover, owner, platforms, isDisabled, onChange }: CoverSectionProps) {
  const forFrame = platforms.filter(takesFrame);
  const forImage = platforms.filter(takesCoverImage);
  const titleId = useId();
  if (forFrame.length + forImage.length === 0) return null;
  return (
    <section className={classes.cover} aria-labelledby={titleId}>
      <h3 id={titleId}>{words.media.cover.title}</h3>
      <div className={classes.choices}>
        {forFrame.length > 0 && (
          <FrameChoice
            video={video}
            frameMs={cover.frameMs}
            platforms={titlesOf(forFrame)}
            isDisabled={isDisabled}
            onChange={(frameMs) => onChange({ ...cover, frameMs })}
            onClear={() => {
              const { frameMs: _old, ...rest } = cover;
              onChange(rest);
            }}
          />
        )}
        {forImage.length > 0 && (
          <ImageChoice
            image={cover.image}
            owner={owner}
            platforms={titlesOf(forImage)}
            isDisabled={isDisabled}
            onChange={(image) => {
              const { image: _old, ...rest } = cover;
              onChange({ ...rest, ...(image !== undefined && { image }) });
            }}
          />
        )}
      </div>
    </section>
  );
}

interface ImageChoiceProps {
  image: DraftMedia | undefined;
  owner: string;
  platforms: string;
  isDisabled: boolean;
  onChange: (image: DraftMedia | undefined) => void;
}

function ImageChoice({ image, owner, platforms, isDisabled, onChange }: ImageChoiceProps) {
  const own = useStore(uploads).filter((each) => each.owner === owner);
  const arrived = own.find(({ state }) => state.status === 'done');
  useEffect(() => {
    if (arrived?.state.status !== 'done') return;
    onChange(arrived.state.media);
    forgetUploads([arrived.number]);
  }, [arrived, onChange]);
  const running = own.filter(({ state }) => state.status !== 'done');
  return (
    <div className={classes.choice}>
      <div className={classes.picture}>
        {image === undefined ? (
          <span className={classes.sign}>
            <Icon name="image" size={24} />
          </span>
        ) : (
          <Picture media={image} isSmall />
        )}
      </div>
      <Stack gap={2}>
        <p className={classes.label}>{words.media.cover.image}</p>
        <Muted>{words.media.cover.imageFor(platforms)}</Muted>
        <UploadList uploads={running} />
        {!isDisabled && (
          <Row>
            <FilePicker
              accept={acceptedImages}
              label={image === undefined ? words.media.cover.addImage : words.media.cover.replaceImage}
              size="small"
              icon="upload"
              onChoose={(files) => {
                for (const { number } of running) cancelUpload(number);
                addFiles(owner, files.slice(0, 1), { isForCover: true });
              }}
            />
            {image !== undefined && (
              <Button size="small" variant="quiet" icon="trash" onPress={() => onChange(undefined)}>
                {words.media.cover.removeImage}
              </Button>
            )}
          </Row>
        )}
      </Stack>
    </div>
  );
}

interface FrameChoiceProps {
  video: DraftMedia;
  frameMs: number | undefined;
  platforms: string;
  isDisabled?: boolean;
  onClear?: () => void;
  onChange: (frameMs: number) => void;
}

/** A step of the slider: about as long as a frame, in tenths of a second that people can read. */
const stepMs = 100;

/** Lets a person choose the frame that becomes the cover of a video. */
export function FrameChoice({
  video,
  frameMs,
  platforms,
  isDisabled = false,
  onClear,
  onChange,
}: FrameChoiceProps) {
  const player = useRef<HTMLVideoElement>(null);
  const [playedMs, setPlayedMs] = useState<number>();
  const [hasFailed, setFailed] = useState(false);
  const id = useId();
  const address = shownAddressOf(video);
  const durationMs = video.durationMs ?? playedMs;
  const shownMs = frameMs ?? 0;
  useEffect(() => {
    // `fastSeek` would show the next key frame, which the platforms do not take.
    if (player.current) player.current.currentTime = shownMs / 1_000;
  }, [shownMs]);
  return (
    <div className={classes.choice}>
      <div className={classes.picture}>
        {address === undefined || hasFailed ? (
          <span className={classes.sign}>
            <Icon name="play" size={24} />
          </span>
        ) : (
          <video
            key={`${address} ${video.widthPixels ?? ''}`}
            ref={player}
            src={address}
            preload="auto"
            muted
            playsInline
            aria-hidden="true"
            tabIndex={-1}
            onLoadedMetadata={({ currentTarget }) => {
              setPlayedMs(Math.floor(currentTarget.duration * 1_000));
              currentTarget.currentTime = shownMs / 1_000;
            }}
            onError={() => setFailed(true)}
          />
        )}
      </div>
      <Stack gap={2}>
        <label htmlFor={id} className={classes.label}>
          {words.media.cover.frame}{' '}
          <span className={classes.value}>
            {frameMs === undefined ? words.media.cover.noFrame : words.media.cover.at(formatFrame(frameMs))}
          </span>
        </label>
        <input
          id={id}
          type="range"
          className={classes.slider}
          min={0}
          max={Math.max(stepMs, Math.floor((durationMs ?? 0) / stepMs) * stepMs - stepMs)}
          step={stepMs}
          value={shownMs}
          aria-valuetext={frameMs === undefined ? words.media.cover.noFrame : formatFrame(frameMs)}
          disabled={isDisabled || durationMs === undefined}
          onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
        />
        <Muted>
          {durationMs === undefined
            ? words.media.cover.noDuration
            : hasFailed
              ? words.media.cover.noPicture
              : words.media.cover.frameFor(platforms)}
        </Muted>
        {frameMs !== undefined && !isDisabled && onClear && (
          <div>
            <Button size="small" variant="quiet" onPress={onClear}>
              {words.media.cover.clearFrame}
            </Button>
          </div>
        )}
      </Stack>
    </div>
  );
}
