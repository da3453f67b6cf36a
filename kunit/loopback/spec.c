// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop_hca: a device in words, as the parameter and debugfs have it; the words
 * are in main.c's head.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "local.h"

static int loop_spec_pkeys(char *value, struct loop_config *config)
{
	char *word;
	u32 count = 0;
	int ret;

	while ((word = strsep(&value, ":"))) {
		if (count == LOOP_MAX_PKEYS)
			return -E2BIG;
		ret = kstrtou16(word, 0, &config->pkeys[count++]);
		if (ret)
			return ret;
	}
	return 0;
}

static int loop_spec_word(char *word, struct loop_config *config)
{
	char *value = word;
	const char *name = strsep(&value, "=");
	int ret;

	if (!strcmp(name, "ib") || !strcmp(name, "roce")) {
		config->layer = *name == 'i' ? IB_LINK_LAYER_INFINIBAND : IB_LINK_LAYER_ETHERNET;
		return value ? -EINVAL : 0;
	}
	if (!value)
		return -EINVAL;
	if (!strcmp(name, "ports"))
		return kstrtou32(value, 0, &config->ports);
	if (!strcmp(name, "lid"))
		return kstrtou16(value, 0, &config->lid);
	if (!strcmp(name, "lmc"))
		return kstrtou8(value, 0, &config->lmc);
	if (!strcmp(name, "depth"))
		return kstrtou32(value, 0, &config->recv_depth);
	if (!strcmp(name, "pkeys"))
		return loop_spec_pkeys(value, config);
	if (strcmp(name, "guid"))
		return -EINVAL;
	ret = kstrtou64(value, 0, &config->node_guid);
	config->zero_guid = !ret && !config->node_guid;
	return ret;
}

/**
 * loop_spec_parse - turn words into a device's configuration
 * @words: layer and name=number, with commas between; written to
 * @config: result
 *
 * Context: any.
 * Return: 0, or -EINVAL and the like; -EINVAL also without a layer
 */
int loop_spec_parse(char *words, struct loop_config *config)
{
	char *word;
	int ret;

	memset(config, 0, sizeof(*config));
	words = strim(words);
	while ((word = strsep(&words, ","))) {
		ret = loop_spec_word(strim(word), config);
		if (ret) {
			pr_err("loop_hca: '%s' is not understood\n", word);
			return ret;
		}
	}
	return config->layer == IB_LINK_LAYER_UNSPECIFIED ? -EINVAL : 0;
}
