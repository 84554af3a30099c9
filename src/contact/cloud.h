/*
 * Hits of one pair of bodies: which belong together, and what few points stand for them?
 *
 * Hits of one flat patch form one cloud, and patches never share a cloud. Other hits are chained by
 * distance and by normal and may lean on one patch at most. Each cloud is condensed to an incident:
 * a point, the two ends of a line, or three or four points whose mean is the centroid of the
 * cloud's hull. Finding and polishing the hits is the caller's, as is what was decided before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "contact/hit.h"

typedef struct CloudWork CloudWork;

/* The kind of a pair's last incident is not known. */
enum { CLOUD_NO_PREVIOUS = -1 };

PetscErrorCode CloudWorkCreate(CloudWork **work);
PetscErrorCode CloudWorkDestroy(CloudWork **work);

/*
 * The incidents of the hits, the same to the last bit in whatever order the hits come. They belong
 * to work and live until its next call; memory is asked for only when there are more hits than ever
 * before. Hits of a cloud further than tolerance [m] behind its nearest (behind the surface, for
 * a penetrating flat patch) do not count. previous is an IncidentKind that is kept within twice the
 * usual thresholds, or CLOUD_NO_PREVIOUS. The points of a plane run counter-clockwise about its
 * normal.
 */
PetscErrorCode CloudCondense(CloudWork *work, int n_hits, const ContactHit hits[], double tolerance,
                             int previous, int *n_incidents, const Incident **incidents);
