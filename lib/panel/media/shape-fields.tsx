import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react';
import type { AskedShape } from '../../media/renditions/adapt.ts';
import { cropOf } from '../../media/renditions/crop.ts';
import { platformTitles } from '../accounts/platforms.ts';
import { Button } from '../components/button.tsx';
import { Muted, Stack } from '../components/layout.tsx';
import { Segmented } from '../components/segmented.tsx';
import { words } from '../words/words.ts';
import type { AdaptedFile } from './adapted.ts';
import type { DraftMedia } from './draft-media.ts';
import { Picture } from './picture.tsx';
import classes from './shape.module.css';

const texts = words.fit;
const notes = { pad: texts.padNote, crop: texts.cropNote } as const;
const usualColor = '#ffffff';
const middle = { x: 0.5, y: 0.5 };

interface ShapeFieldsProps {
  label: string;
  /** The picture on which the focal point is chosen. */
  file: DraftMedia | undefined;
  shape: AskedShape;
  /** The pictures that destinations get, which show what is cut off. */
  adapted: readonly AdaptedFile[];
  noneLabel?: string;
  noneNote?: string;
  onChange: (shape: AskedShape) => void;
}

/** The choice of what to do with a picture whose shape a platform does not take. */
export function ShapeFields(props: ShapeFieldsProps) {
  const { label, file, shape, adapted, noneLabel = texts.none, noneNote, onChange } = props;
  const { fit, padColor = usualColor, focalPoint = middle } = shape;
  const colorId = useId();
  const choose = (value: 'none' | 'pad' | 'crop') => {
    const { fit: _before, ...rest } = shape;
    onChange(value === 'none' ? rest : { ...rest, fit: value });
  };
  return (
    <Stack gap={4}>
      <div className={classes.choices}>
        <p className={classes.label}>{label}</p>
        <Segmented
          label={label}
          choices={[
            { id: 'none', name: noneLabel },
            { id: 'pad', name: texts.pad },
            { id: 'crop', name: texts.crop },
          ]}
          value={fit ?? 'none'}
          onChange={choose}
          isWide
        />
        <Muted role="status">{fit === undefined ? noneNote : notes[fit]}</Muted>
      </div>
      {fit === 'pad' && (
        <div className={classes.color}>
          <input
            id={colorId}
            type="color"
            value={padColor.toLowerCase()}
            onChange={({ currentTarget }) => onChange({ ...shape, padColor: currentTarget.value })}
          />
          <label htmlFor={colorId}>{texts.color}</label>
          <code>{padColor.toLowerCase()}</code>
        </div>
      )}
      {fit === 'crop' && file !== undefined && (
        <FocalPointField
          file={file}
          point={focalPoint}
          adapted={adapted}
          onChange={(point) => onChange({ ...shape, focalPoint: point })}
        />
      )}
    </Stack>
  );
}

type Point = NonNullable<AskedShape['focalPoint']>;

interface FocalPointFieldProps {
  file: DraftMedia;
  point: Point;
  adapted: readonly AdaptedFile[];
  onChange: (point: Point) => void;
}

const step = 0.01;
const longStep = 0.1;

/** The directions of the arrow keys. */
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** A fraction, to the percent. */
const fraction = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 100) / 100;
const pointAt = (x: number, y: number): Point => ({ x: fraction(x), y: fraction(y) });

/** A picture with a point that people move by pointing, or with the arrow keys. */
function FocalPointField({ file, point, adapted, onChange }: FocalPointFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const helpId = useId();
  const { widthPixels = 1, heightPixels = 1 } = file;
  const frames = framesOf(file, point, adapted);
  const moveTo = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = box.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    onChange(pointAt((clientX - left) / width, (clientY - top) / height));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (arrow === undefined) return;
    event.preventDefault();
    const by = event.shiftKey ? longStep : step;
    onChange(pointAt(point.x + arrow.x * by, point.y + arrow.y * by));
  };
  const [across, down] = [point.x * 100, point.y * 100];
  const slider = {
    type: 'range',
    min: 0,
    max: 100,
    step: 1,
    className: classes.slider,
    'aria-valuetext': texts.focus.at(Math.round(across), Math.round(down)),
    'aria-describedby': helpId,
    onKeyDown,
  } as const;
  return (
    <fieldset className={classes.focus}>
      <legend className={classes.label}>{texts.focus.label}</legend>
      <div
        ref={box}
        className={classes.box}
        style={{ aspectRatio: widthPixels / heightPixels, ...size(widthPixels / heightPixels) }}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          first.current?.focus();
          moveTo(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(event);
        }}
      >
        <Picture media={file} isWhole />
        {frames.map(({ id, style }, index) => (
          <span key={id} className={index === 0 ? classes.kept : classes.frame} style={style} />
        ))}
        <span className={classes.point} style={{ left: `${across}%`, top: `${down}%` }}>
          <input
            {...slider}
            ref={first}
            aria-label={texts.focus.across}
            value={Math.round(across)}
            onChange={({ currentTarget }) => onChange(pointAt(Number(currentTarget.value) / 100, point.y))}
          />
          <input
            {...slider}
            aria-label={texts.focus.down}
            value={Math.round(down)}
            onChange={({ currentTarget }) => onChange(pointAt(point.x, Number(currentTarget.value) / 100))}
          />
        </span>
      </div>
      <Muted id={helpId}>{texts.focus.help}</Muted>
      {frames[0] && <Muted>{texts.focus.frames(frames[0].platforms)}</Muted>}
      <div className={classes.middle}>
        <Button
          size="small"
          variant="quiet"
          isDisabled={point.x === middle.x && point.y === middle.y}
          onPress={() => onChange(middle)}
        >
          {texts.focus.middle}
        </Button>
      </div>
    </fieldset>
  );
}

/** All of the picture is in sight, however high it is. */
const size = (ratio: number) => ({ inlineSize: `min(100%, ${(40 * ratio).toFixed(2)}vh)` });

const list = new Intl.ListFormat('en-GB');

/** The parts of a picture that stay in sight, each with the platforms that get it. */
function framesOf(
  { widthPixels: width, heightPixels: height }: DraftMedia,
  point: Point,
  adapted: readonly AdaptedFile[],
) {
  if (width === undefined || height === undefined) return [];
  const cropped = adapted.flatMap((each) => {
    if (each.width === null || each.height === null || !each.changes.includes('shape')) return [];
    const part = cropOf({ width, height }, { width: each.width, height: each.height }, point);
    return [{ part, platform: each.platform }];
  });
  const groups = Map.groupBy(cropped, ({ part }) => `${part.width} ${part.height}`);
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return [...groups].flatMap(([id, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { part } = first;
    const style = {
      left: percent(part.left, width),
      top: percent(part.top, height),
      width: percent(part.width, width),
      height: percent(part.height, height),
    };
    const platforms = list.format(new Set(all.map(({ platform }) => platformTitles[platform])));
    return [{ id, style, platforms }];
  });
}
