import { type PointerEvent, useId, useState } from 'react';
import { locale, words } from '../words/words.ts';
import { namedPlaces, ticksFor } from './axis.ts';
import classes from './bar-chart.module.css';
import { Button } from './button.tsx';
import { join } from './classes.ts';

export interface Bar {
  id: string;
  /** Such as `14 Mar 2026`. */
  name: string;
  /** Such as `14 Mar`: written below the bar if there is space. */
  shortName: string;
  /** A whole number, 0 or more. */
  value: number;
}

interface BarChartProps {
  label: string;
  bars: readonly Bar[];
  summary: string;
  inWords: (value: number) => string;
  columns: { name: string; value: string };
}

const mostNames = 7;

/**
 * Values over time as bars, and the same as a table. Each bar can be pointed at, and be read with the arrow keys: for assistive
 * technology the bars are a slider whose text is the bar's name and value.
 */
export function BarChart({ label, bars, summary, inWords, columns }: BarChartProps) {
  const id = useId();
  const [isTable, setTable] = useState(false);
  const [pointed, setPointed] = useState<number>();
  const bar = pointed === undefined ? undefined : bars[pointed];
  return (
    <figure className={classes.chart} aria-labelledby={`${id}-label`}>
      <figcaption className={classes.head}>
        <span className={classes.texts}>
          <span id={`${id}-label`} className={classes.label}>
            {label}
          </span>
          <span className={classes.readout}>
            {bar ? (
              <>
                <strong>{inWords(bar.value)}</strong> {bar.name}
              </>
            ) : (
              <strong>{summary}</strong>
            )}
          </span>
        </span>
        <Button
          size="small"
          aria-expanded={isTable}
          aria-controls={`${id}-table`}
          onPress={() => setTable(!isTable)}
        >
          {isTable ? words.shared.chart.hideTable : words.shared.chart.showTable}
        </Button>
      </figcaption>
      <Plot label={label} bars={bars} inWords={inWords} pointed={pointed} onPoint={setPointed} />
      <div id={`${id}-table`} hidden={!isTable}>
        {isTable && <BarTable label={label} bars={bars} columns={columns} />}
      </div>
    </figure>
  );
}

const numbers = new Intl.NumberFormat(locale);
const shortNumbers = new Intl.NumberFormat(locale, { notation: 'compact' });

interface PlotProps extends Pick<BarChartProps, 'label' | 'bars' | 'inWords'> {
  pointed: number | undefined;
  onPoint: (place: number | undefined) => void;
}

function Plot({ label, bars, inWords, pointed, onPoint }: PlotProps) {
  const last = bars.length - 1;
  const place = Math.min(pointed ?? last, last);
  const ticks = ticksFor(Math.max(0, ...bars.map(({ value }) => value)));
  const top = ticks.at(-1) ?? 1;
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onPoint(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * bars.length))));
  };
  return (
    <div className={classes.frame}>
      <div className={classes.values} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ insetBlockEnd: `${(tick / top) * 100}%` }}>
            {shortNumbers.format(tick)}
          </span>
        ))}
      </div>
      <div
        className={classes.plot}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => onPoint(undefined)}
      >
        <input
          type="range"
          className={classes.reader}
          aria-label={label}
          aria-valuetext={bars[place] && `${bars[place].name}: ${inWords(bars[place].value)}`}
          min={0}
          max={Math.max(0, last)}
          value={Math.max(0, place)}
          onChange={({ currentTarget }) => onPoint(Number(currentTarget.value))}
          onFocus={() => onPoint(place)}
          onBlur={() => onPoint(undefined)}
        />
        <Bars bars={bars} ticks={ticks} top={top} pointed={pointed} />
      </div>
      <Names bars={bars} />
    </div>
  );
}

interface BarsProps extends Pick<BarChartProps, 'bars'> {
  ticks: readonly number[];
  top: number;
  pointed: number | undefined;
}

/** Sizes in percent, so that the picture is as wide as its place without being measured. */
function Bars({ bars, ticks, top, pointed }: BarsProps) {
  const slot = 100 / bars.length;
  const gap = bars.length > 150 ? 0 : bars.length > 45 ? 0.15 : 0.3;
  return (
    <svg className={classes.bars} aria-hidden="true">
      {ticks.map((tick) => {
        const y = `${100 - (tick / top) * 100}%`;
        return <line key={tick} className={classes.line} x1="0" x2="100%" y1={y} y2={y} />;
      })}
      {pointed !== undefined && (
        <rect className={classes.pointer} x={`${pointed * slot}%`} y="0" width={`${slot}%`} height="100%" />
      )}
      {bars.map(({ id, value }, place) => {
        const height = (value / top) * 100;
        return (
          <rect
            key={id}
            className={join(classes.bar, place === pointed && classes.pointed)}
            x={`${(place + gap / 2) * slot}%`}
            y={`${100 - height}%`}
            width={`${slot * (1 - gap)}%`}
            height={`${height}%`}
            rx={gap === 0 ? 0 : 2}
          />
        );
      })}
    </svg>
  );
}

function Names({ bars }: Pick<BarChartProps, 'bars'>) {
  const named = namedPlaces(bars.length, mostNames);
  const slot = 100 / bars.length;
  const isDense = bars.length > 2 * mostNames;
  return (
    <div className={classes.names} aria-hidden="true">
      {named.map((place, index) => {
        const isMinor = (named.length - 1 - index) % 2 === 1;
        const isLast = isDense && place === bars.length - 1;
        return (
          <span
            key={bars[place]?.id}
            className={join(classes.barName, isMinor && classes.minor, isLast && classes.last)}
            style={{ insetInlineStart: isLast ? undefined : `${(place + 0.5) * slot}%` }}
          >
            {bars[place]?.shortName}
          </span>
        );
      })}
    </div>
  );
}

/** The latest first. */
function BarTable({ label, bars, columns }: Pick<BarChartProps, 'label' | 'bars' | 'columns'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
    <section className={classes.scroller} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.title}>
              {columns.name}
            </th>
            <th scope="col" className={classes.title}>
              {columns.value}
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map(({ id, name, value }) => (
            <tr key={id} className={value === 0 ? classes.none : undefined}>
              <th scope="row">{name}</th>
              <td>{numbers.format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
