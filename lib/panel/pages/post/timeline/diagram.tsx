import { useState } from 'react';
import { type Account, nameOf } from '../../../accounts/account.ts';
import { PlatformMark } from '../../../accounts/platform-mark.tsx';
import { platformTitles } from '../../../accounts/platforms.ts';
import { Button } from '../../../components/button.tsx';
import { join } from '../../../components/classes.ts';
import { formatDuration } from '../../../duration.ts';
import { words } from '../../../words/words.ts';
import classes from './diagram.module.css';
import { type Lane, type Mark, type MarkKind, offsetsOf, type Stretch } from './lanes.ts';
import { type Scale, scaleFor } from './scale.ts';
import { laneText, tickText } from './words.ts';

const texts = words.postPage.timeline;
const shownAtFirst = 6;
const height = 32;
const middle = height / 2;
/** Above this, a person notices. */
const lateMs = 1_000;

interface DiagramProps {
  lanes: readonly Lane[];
  accounts: ReadonlyMap<string, Account> | undefined;
  now: number | undefined;
}

/** What happened to each destination and when, around the planned time, which is the same place for all. */
export function Diagram({ lanes, accounts, now }: DiagramProps) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? lanes : lanes.slice(0, shownAtFirst);
  const scale = scaleFor(shown.flatMap(offsetsOf));
  return (
    <figure className={classes['figure']}>
      <div className={classes['lanes']}>
        <div className={classes['head']} aria-hidden="true">
          <svg className={classes['axis']} width="100%" height="20" aria-hidden="true">
            {scale.ticks.map(({ offsetMs, position }) => (
              <text
                key={offsetMs}
                x={percent(position)}
                y="13"
                textAnchor="middle"
                className={offsetMs === 0 ? classes['plannedText'] : classes['tickText']}
              >
                {tickText(offsetMs)}
              </text>
            ))}
          </svg>
        </div>
        <ul className={classes['list']} aria-label={texts.diagram}>
          {shown.map((lane) => (
            <LaneRow
              key={lane.target.accountId}
              lane={lane}
              scale={scale}
              account={accounts?.get(lane.target.accountId)}
              now={now}
            />
          ))}
        </ul>
      </div>
      {shown.length < lanes.length && (
        <div>
          <Button size="small" onPress={() => setAll(true)}>
            {texts.showAll(lanes.length)}
          </Button>
        </div>
      )}
      <figcaption className={classes['legend']}>
        <Legend lanes={shown} hasNow={now !== undefined} />
        <span>{texts.scale}</span>
      </figcaption>
    </figure>
  );
}

interface LaneRowProps {
  lane: Lane;
  scale: Scale;
  account: Account | undefined;
  now: number | undefined;
}

function LaneRow({ lane, scale, account, now }: LaneRowProps) {
  const { target, preparation, lateness, call, marks, dueMs } = lane;
  const name = account ? nameOf(account) : words.account.disconnected;
  const { lateMs: late, afterRequestMs } = target.timing;
  return (
    <li className={classes['lane']}>
      <div className={classes['name']}>
        <PlatformMark platform={target.platform} size="small" />
        <bdi className={classes['words']}>{name}</bdi>
      </div>
      <svg
        className={classes['chart']}
        width="100%"
        height={height}
        role="img"
        aria-label={`${name}, ${platformTitles[target.platform]}: ${laneText(lane)}`}
      >
        {scale.ticks.map(({ offsetMs, position }) => (
          <line
            key={offsetMs}
            x1={percent(position)}
            x2={percent(position)}
            y1="0"
            y2={height}
            className={offsetMs === 0 ? classes['planned'] : classes['grid']}
          />
        ))}
        <line x1="0" x2="100%" y1={middle} y2={middle} className={classes['base']} />
        {preparation && <Bar stretch={preparation} scale={scale} kind="preparation" thickness={8} />}
        {lateness && (
          <Bar
            stretch={lateness}
            scale={scale}
            kind={(late ?? 0) > lateMs ? 'veryLate' : 'lateBar'}
            thickness={8}
          />
        )}
        {call && <Bar stretch={call} scale={scale} kind="call" thickness={14} />}
        {thinned(marks, scale).map(({ kind, offsetMs }) => (
          <svg
            key={`${kind} ${offsetMs}`}
            x={percent(scale.at(offsetMs))}
            y={middle}
            overflow="visible"
            className={classes[kind]}
            aria-hidden="true"
          >
            <path d={shapes[kind]} />
          </svg>
        ))}
        {now !== undefined && <Present position={scale.at(now - dueMs)} />}
      </svg>
      <div className={join(classes['late'], (late ?? 0) > lateMs && classes['isLate'])} aria-hidden="true">
        {late !== null && (late === 0 ? texts.onTime : texts.late(formatDuration(late)))}
        {afterRequestMs !== null && texts.afterRequest(formatDuration(afterRequestMs))}
      </div>
    </li>
  );
}

interface BarProps {
  stretch: Stretch;
  scale: Scale;
  kind: 'preparation' | 'lateBar' | 'veryLate' | 'call';
  thickness: number;
}

function Bar({ stretch: { fromMs, toMs }, scale, kind, thickness }: BarProps) {
  const from = scale.at(fromMs);
  return (
    <rect
      x={percent(from)}
      width={percent(Math.max(scale.at(toMs) - from, 0.004))}
      y={middle - thickness / 2}
      height={thickness}
      rx="2"
      className={classes[kind]}
    />
  );
}

/** Where the present is, if that is on the scale. */
function Present({ position }: { position: number }) {
  if (position < 0 || position > 1) return null;
  return (
    <line x1={percent(position)} x2={percent(position)} y1="2" y2={height - 2} className={classes['now']} />
  );
}

/** Drawn around 0, 0. */
const shapes: Readonly<Record<MarkKind, string>> = {
  step: 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  again: 'M0-6 6 5H-6Z',
  bad: 'M-5-5 5 5M5-5-5 5',
  unknown: 'M-6-6H6V6H-6ZM-2-2a2 2 0 1 1 2 2v1M0 4v.1',
  live: 'M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0M-3 0l2.2 2.2L3-2',
  paused: 'M-2.5-5V5M2.5-5V5',
};

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** Marks of a kind in the same place are drawn once. */
function thinned(marks: readonly Mark[], scale: Scale): Mark[] {
  const seen = new Set<string>();
  return marks.filter(({ kind, offsetMs }) => {
    const place = `${kind} ${Math.round(scale.at(offsetMs) * 150)}`;
    return seen.size < seen.add(place).size;
  });
}

/** Only what is in the diagram. */
function Legend({ lanes, hasNow }: { lanes: readonly Lane[]; hasNow: boolean }) {
  const kinds = new Set(lanes.flatMap(({ marks }) => marks.map(({ kind }) => kind)));
  const latenesses = lanes.flatMap(({ lateness }) => lateness?.toMs ?? []);
  return (
    <ul className={classes['keys']}>
      {lanes.some(({ preparation }) => preparation) && <Key kind="preparation">{texts.keys.preparation}</Key>}
      {latenesses.some((ms) => ms <= lateMs) && <Key kind="lateBar">{texts.keys.soon}</Key>}
      {latenesses.some((ms) => ms > lateMs) && <Key kind="veryLate">{texts.keys.late}</Key>}
      {lanes.some(({ call }) => call) && <Key kind="call">{texts.keys.call}</Key>}
      {hasNow && (
        <li className={classes['key']}>
          <svg width="16" height="16" aria-hidden="true">
            <line x1="8" x2="8" y1="1" y2="15" className={classes['now']} />
          </svg>
          {texts.keys.now}
        </li>
      )}
      {(['live', 'again', 'unknown', 'bad', 'paused'] as const).map(
        (kind) =>
          kinds.has(kind) && (
            <li key={kind} className={classes['key']}>
              <svg width="16" height="16" viewBox="-8 -8 16 16" className={classes[kind]} aria-hidden="true">
                <path d={shapes[kind]} />
              </svg>
              {texts.keys[kind]}
            </li>
          ),
      )}
    </ul>
  );
}

function Key({ kind, children }: { kind: BarProps['kind']; children: string }) {
  return (
    <li className={classes['key']}>
      <svg width="16" height="16" aria-hidden="true">
        <rect x="0" y="4" width="16" height="8" rx="2" className={classes[kind]} />
      </svg>
      {children}
    </li>
  );
}
