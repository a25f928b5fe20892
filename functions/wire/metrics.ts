import { Metrics } from '@aws-lambda-powertools/metrics';
import {
  type Measurement,
  metricNamespace,
  metricUnits,
  platformDimension,
  reasonDimension,
  serviceDimension,
} from '../../lib/metrics/measurements.ts';
import type { Wire } from './start.ts';

/**
 * Writes measurements to the log in CloudWatch's embedded metric format, which needs no API call: one line per platform, and
 * another one for each reason. CloudWatch counts the first for its platform and for all platforms together, which an alarm reads as
 * one metric. The lines contain names and numbers only, nothing about users.
 */
export const record: Wire<(measurements: readonly Measurement[]) => void> = (environment) => {
  const metrics = new Metrics({
    namespace: metricNamespace(environment('STAGE')),
    serviceName: serviceDimension.service,
  });
  const publish = (measurements: readonly Measurement[]) => {
    for (const { name, value } of measurements) metrics.addMetric(name, metricUnits[name], value);
    metrics.publishStoredMetrics();
  };
  return (measurements) => {
    for (const [platform, ofPlatform] of Map.groupBy(measurements, (each) => each.platform)) {
      if (platform !== undefined) {
        metrics.addDimension(platformDimension, platform);
        // A second set of dimensions: only those that every metric has.
        metrics.addDimensions({});
      }
      publish(ofPlatform);
      for (const [reason, ofReason] of Map.groupBy(ofPlatform, (each) => each.reason)) {
        if (reason === undefined) continue;
        if (platform !== undefined) metrics.addDimension(platformDimension, platform);
        metrics.addDimension(reasonDimension, reason);
        publish(ofReason);
      }
    }
  };
};
