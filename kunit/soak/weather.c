// SPDX-License-Identifier: GPL-2.0-only
/*
 * The weather: loopback devices that come and go, and their faults.
 *
 * Owns: the devices that it makes, which nobody else removes; one thread.
 */
#include <linux/delay.h>
#include <linux/kthread.h>

#include "../loopback/loop.h"
#include "soak.h"

#define SOAK_DEVICES	4	/* at most */
#define SOAK_PORTS	2

struct soak_place {
	struct ib_device *dev;	/* NULL: none now */
	struct loop_config config;
	bool down;
};

static struct soak_place soak_places[SOAK_DEVICES];
static unsigned int soak_nplaces;
static struct task_struct *soak_weather_task;
static struct soak_dice soak_weather_dice;

static void soak_place_fill(struct soak_place *place)
{
	struct ib_device *dev = loop_hca_create(&place->config);

	place->dev = IS_ERR(dev) ? NULL : dev;
	place->down = false;
}

static void soak_count_hits(struct soak_place *place)
{
	enum loop_fault fault;

	for (fault = 0; fault < LOOP_FAULTS; fault++)
		soak_count(SOAK_FAULTS, loop_fault_hits(place->dev, 0, fault));
}

static void soak_place_empty(struct soak_place *place)
{
	if (!place->dev)
		return;
	soak_count_hits(place);
	loop_hca_remove(place->dev);
	place->dev = NULL;
}

static void soak_place_clear(struct soak_place *place)
{
	static const u16 plain[] = { 0xffff };
	u32 port;

	soak_count_hits(place);
	loop_faults_clear(place->dev);
	loop_hca_release(place->dev);
	for (port = 1; place->down && port <= place->config.ports; port++) {
		loop_hca_port_state(place->dev, port, IB_PORT_ACTIVE);
		loop_hca_pkeys(place->dev, port, plain, 1);
	}
	place->down = false;
}

/* Not the times of a REQ or MRA: they say when an attempt must have ended. */
static void soak_corrupt(struct loop_rule *rule, struct soak_dice *dice)
{
	static const u16 without_times[] = { 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18 };

	if (soak_chance(dice, 30)) {
		rule->attr_id = 0x10;
		rule->arg = 24 + soak_roll(dice, 16);
		return;
	}
	rule->attr_id = without_times[soak_roll(dice, ARRAY_SIZE(without_times))];
	rule->arg = soak_roll(dice, LOOP_MAD_SIZE);
}

static void soak_fault(struct soak_place *place, struct soak_dice *dice)
{
	enum loop_fault fault = soak_roll(dice, LOOP_FAULTS);
	struct loop_rule rule = {
		.nth = 1 + soak_roll(dice, 12),
		.times = 1 + soak_roll(dice, 60),
		.arg = 1 + soak_roll(dice, 40),
	};

	if (soak_chance(dice, 40))
		rule.attr_id = 0x10 + soak_roll(dice, 11);
	switch (fault) {
	case LOOP_CORRUPT:
		soak_corrupt(&rule, dice);
		break;
	case LOOP_AH_SLOW:
	case LOOP_QUERY_SLOW:
	case LOOP_MODIFY_SLOW:
		rule.attr_id = 0;
		rule.arg = 1 + soak_roll(dice, 5);
		break;
	case LOOP_AH_FAIL:
	case LOOP_QUERY_FAIL:
	case LOOP_MODIFY_FAIL:
		rule.attr_id = 0;
		break;
	default:
		break;
	}
	/* What was there is counted before it starts anew. */
	soak_count(SOAK_FAULTS, loop_fault_hits(place->dev, 0, fault));
	loop_fault_set(place->dev, 0, fault, &rule);
}

static void soak_port_changes(struct soak_place *place, struct soak_dice *dice)
{
	static const u16 others[] = { 0x8001, 0x7fff };
	u32 port = 1 + soak_roll(dice, place->config.ports);

	place->down = true;
	if (soak_chance(dice, 50))
		loop_hca_port_state(place->dev, port, IB_PORT_DOWN);
	else
		loop_hca_pkeys(place->dev, port, others, ARRAY_SIZE(others));
}

static void soak_weather_turn(struct soak_dice *dice)
{
	struct soak_place *place = &soak_places[soak_roll(dice, soak_nplaces)];
	u32 what = soak_roll(dice, 100);

	if (!place->dev)
		soak_place_fill(place);
	else if (what < 45)
		soak_fault(place, dice);
	else if (what < 60)
		loop_hca_release(place->dev);
	else if (what < 80)
		soak_place_clear(place);
	else if (what < 88)
		soak_port_changes(place, dice);
	else
		soak_place_empty(place);
}

static int soak_weather(void *data)
{
	struct soak_dice *dice = &soak_weather_dice;

	while (!kthread_should_stop()) {
		soak_weather_turn(dice);
		schedule_timeout_interruptible(msecs_to_jiffies(20 + soak_roll(dice, 300)));
	}
	return 0;
}

int soak_weather_start(unsigned int devices)
{
	struct task_struct *task;
	unsigned int i;

	soak_nplaces = min_t(unsigned int, devices, SOAK_DEVICES);
	if (!soak_nplaces)
		return 0;
	soak_dice_init(&soak_weather_dice, 1);
	for (i = 0; i < soak_nplaces; i++) {
		/* Two of each kind: a device talks to others of its kind, and to itself. */
		soak_places[i].config = (struct loop_config) {
			.layer = i % 2 ? IB_LINK_LAYER_ETHERNET : IB_LINK_LAYER_INFINIBAND,
			.ports = 1 + i / 2 % SOAK_PORTS,
		};
		soak_place_fill(&soak_places[i]);
	}
	task = kthread_run(soak_weather, NULL, "soak/weather");
	if (IS_ERR(task)) {
		soak_weather_stop();
		return PTR_ERR(task);
	}
	soak_weather_task = task;
	return 0;
}

void soak_weather_calm(void)
{
	unsigned int i;

	if (soak_weather_task)
		kthread_stop(soak_weather_task);
	soak_weather_task = NULL;
	for (i = 0; i < soak_nplaces; i++)
		if (soak_places[i].dev)
			soak_place_clear(&soak_places[i]);
}

void soak_weather_stop(void)
{
	unsigned int i;

	for (i = 0; i < soak_nplaces; i++)
		soak_place_empty(&soak_places[i]);
}
