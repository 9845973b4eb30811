import type { ServerResponse } from 'node:http';
import type { Plan } from '../call.ts';

export function sendPlan(response: ServerResponse, plan: Plan): void {
  if (response.destroyed) return;
  const json = JSON.stringify(plan.body);
  response.writeHead(plan.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
  });
  response.end(json);
}
