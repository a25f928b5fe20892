import * as z from 'zod';
import type { DailyLimits } from '../../lib/platforms/contract/daily-limit.ts';
import { Platform } from '../../lib/platforms/contract/names.ts';
import { dailyLimitsOf } from '../../lib/platforms/registry/daily-limits.ts';
import type { Wire } from './start.ts';

const Sizes = z.partialRecord(Platform, z.int().min(0));

/** The daily limits of the stage's apps. */
export const dailyLimits: Wire<DailyLimits> = (environment) =>
  dailyLimitsOf(Sizes.parse(JSON.parse(environment('DAILY_LIMITS'))));
