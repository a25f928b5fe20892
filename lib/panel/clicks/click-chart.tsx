import { BarChart } from '../components/bar-chart.tsx';
import { formatDay, formatShortDay } from '../time.ts';
import { words } from '../words/words.ts';
import { type ClicksOfDay, totalOf } from './days.ts';

const texts = words.clicks.chart;

/** Clicks per day as bars and as a table. @param days every day of the range, oldest first */
export function ClickChart({ days }: { days: readonly ClicksOfDay[] }) {
  const bars = days.map(({ day, clicks }) => ({
    id: day,
    name: formatDay(day),
    shortName: formatShortDay(day),
    value: clicks,
  }));
  return (
    <BarChart
      label={texts.label}
      bars={bars}
      summary={texts.summary(totalOf(days), days.length)}
      inWords={texts.clicks}
      columns={texts.columns}
    />
  );
}
