import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { words } from '../words/words.ts';
import classes from './cover-section.module.css';
import type { DraftMedia } from './draft-media.ts';
import { formatFrame } from './facts.ts';
import { shownAddressOf } from './local-files.ts';

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
    <div className={classes['choice']}>
      <div className={classes['picture']}>
        {address === undefined || hasFailed ? (
          <span className={classes['sign']}>
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
      <div className={classes['controls']}>
        <label htmlFor={id} className={classes['label']}>
          {words.media.cover.frame}{' '}
          <span className={classes['value']}>
            {frameMs === undefined ? words.media.cover.noFrame : words.media.cover.at(formatFrame(frameMs))}
          </span>
        </label>
        <input
          id={id}
          type="range"
          className={classes['slider']}
          min={0}
          max={Math.max(stepMs, Math.floor((durationMs ?? 0) / stepMs) * stepMs - stepMs)}
          step={stepMs}
          value={shownMs}
          aria-valuetext={frameMs === undefined ? words.media.cover.noFrame : formatFrame(frameMs)}
          disabled={isDisabled || durationMs === undefined}
          onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
        />
        <p className={classes['help']}>
          {durationMs === undefined
            ? words.media.cover.noDuration
            : hasFailed
              ? words.media.cover.noPicture
              : words.media.cover.frameFor(platforms)}
        </p>
        {frameMs !== undefined && !isDisabled && onClear && (
          <div>
            <Button size="small" variant="quiet" onPress={onClear}>
              {words.media.cover.clearFrame}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
