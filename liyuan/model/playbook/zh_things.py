"""Things one may speak of, in Chinese: the words they are known by, longest first, and what there is to say."""

from __future__ import annotations

from typing import Final

from liyuan.model.playbook.book import Kind, lines, words

KINDS: Final = (
    Kind(
        name="letter",
        words=words(
            """
            书信 信件 来信 信笺 信封 密信 家书 字条 纸条
            请柬 信 笔记 日记 手稿 书页 旧书 古籍 书 画卷 字画
            """
        ),
        says=lines("""
            这{thing}上的字迹，收得很急，像是写到最后怕被人看见。
            纸是会说话的。你闻，这{thing}里有海水的味道。
            {thing}别在灯下久看，看久了，字会跟着人走。
            写{thing}的人，一定是左手先干的墨。你看这一角。
        """),
    ),
    Kind(
        name="weapon",
        words=words("长剑 短剑 宝剑 匕首 弯刀 长刀 佩刀 弓箭 长枪 手枪 剑 刀 枪 弓 箭 盾 斧"),
        says=lines("""
            {thing}可以留着，但进了这里，刃要朝里。
            好{thing}。上头那道缺口，是替谁挡的？
            我不怕{thing}，我怕的是握{thing}的人手在抖。
            把{thing}擦干再收起来，潮气比仇人更伤它。
        """),
    ),
    Kind(
        name="drink",
        words=words("热茶 清茶 茶水 黄酒 烈酒 米酒 果酒 咖啡 热汤 茶 酒 汤 水"),
        says=lines("""
            {thing}要趁热。凉了也能喝，只是喝的就成了心事。
            这{thing}不醉人，醉人的是说话说到一半的那种安静。
            再添一点{thing}？不算钱，算我想多留你一会儿。
            同样的{thing}，有人喝出苦，有人喝出甜，都没有说谎。
        """),
    ),
    Kind(
        name="food",
        words=words("点心 糕点 桂花糕 包子 馒头 面条 米饭 烤鱼 果子 苹果 面包 面 饭 粥 糖 鱼 肉 菜 蛋糕"),
        says=lines("""
            {thing}是今天做的，明天就没有这个味道了。
            先吃。空着肚子的人，听什么都像坏消息。
            我小时候为了一块{thing}，跟人结下过三年的仇，后来又因为一块{thing}和好了。
            你把{thing}掰一半给我吧，两个人吃才像一顿饭。
        """),
    ),
    Kind(
        name="light",
        words=words("灯笼 油灯 提灯 烛火 蜡烛 火把 篝火 炉火 灯光 火光 灯 火 烛 炭"),
        says=lines("""
            {thing}别举太高，光一大，影子也跟着大。
            有{thing}就好。人在黑处待久了，会忘记自己的手长什么样。
            这{thing}我守了很多年，灭过两回，都是同一天。
            让{thing}离我们近一点，剩下的就交给夜。
        """),
    ),
    Kind(
        name="umbrella",
        words=words("油纸伞 雨伞 纸伞 斗笠 蓑衣 斗篷 披风 外套 衣裳 衣服 帽子 手套 鞋 伞 袍 裙 围巾"),
        says=lines("""
            {thing}湿成这样，先搭在那边，我替你烘着。
            你这{thing}，边上补过一针。补的人手很巧，心却不在针上。
            {thing}是好{thing}，可惜配的是赶路的人。
            把{thing}留下也行，人总会回来取东西的。
        """),
    ),
    Kind(
        name="key",
        words=words("钥匙 铜锁 锁 木匣 匣子 盒子 箱子 抽屉 柜子 包裹 行囊 口袋 布包"),
        says=lines("""
            {thing}里头若有响动，先别开，等它静下来。
            {thing}配的门，未必还在。可门没了，{thing}也不肯生锈。
            {thing}我替你收着，收在一个连我自己都要想一想的地方。
            旧{thing}都有脾气。要往左先让半分，再往右。
        """),
    ),
    Kind(
        name="money",
        words=words("银子 铜钱 金币 银币 铜板 银票 钱袋 硬币 钱 金子 珠宝 戒指 玉佩 项链 镯子 玉"),
        says=lines("""
            {thing}收回去吧。这里的账，不拿{thing}算。
            {thing}上的花纹磨平了，看来摸过它的人，都舍不得花。
            你若真要付，就别给{thing}，给我一句真话。
            这{thing}不是本地的。带着它走了这么远，它值多少已经不要紧了。
        """),
    ),
    Kind(
        name="water",
        words=words("大海 海浪 河水 江水 溪水 湖面 渡口 井水 瀑布 池塘 海 河 江 湖 溪 泉 井 船 舟 桥"),
        says=lines("""
            {thing}那边，我只在起雾的时候去过。
            {thing}记得所有从它身边走过的人，只是不肯说。
            你若夜里听见{thing}的声音近了，别应它。
            老人说{thing}通着别处。我没验过，但每年都往里放一盏灯。
        """),
    ),
    Kind(
        name="hills",
        words=words("山路 小路 山顶 雪山 森林 树林 竹林 山谷 悬崖 山洞 荒原 沙漠 山 林 树 路 石头 岩石"),
        says=lines("""
            往{thing}去的人，十个里有九个是去找东西，剩下一个是去丢东西。
            {thing}夜里和白天不是同一个，别拿白天的记性去走。
            要去{thing}，得等风停。风停的时候，它会让你过。
            我在{thing}见过一回鹿，它看我的样子，像是认得。
        """),
    ),
    Kind(
        name="sky",
        words=words("星星 月亮 月光 星空 夜空 流星 太阳 晨光 夕阳 云 月 星 天空 银河"),
        says=lines("""
            今晚的{thing}离得近，近得让人想说实话。
            {thing}不偏心，照你也照找你的人。
            小时候有人骗我，说{thing}是用来给走丢的人认路的。我到现在还信。
            你抬头看{thing}的时候，像换了一个人。
        """),
    ),
    Kind(
        name="animal",
        words=words("小猫 黑猫 白猫 小狗 老狗 马匹 白马 乌鸦 夜莺 狐狸 猫 狗 马 鸟 狼 龙 蛇 鹿 兔子 鹤"),
        says=lines("""
            {thing}比人先知道要变天。你看它今天，坐都坐不稳。
            那{thing}不亲人，可它看了你两眼，这已经算是客气。
            别追{thing}。它若想让你看见，自己会回来。
            我和那{thing}有约在先，它不问我的事，我不问它的去处。
        """),
    ),
    Kind(
        name="music",
        words=words("笛声 琴声 歌声 曲子 歌谣 古琴 琵琶 笛子 钢琴 小提琴 歌 曲 琴 箫 笛 钟声 鼓声"),
        says=lines("""
            这{thing}缺了最后一段。教我的人说，缺着才有人惦记。
            {thing}别停，一停，别的声音就都听见了。
            {thing}我只会一半，另一半要等会的人来。
            从前有人在这里留下一段{thing}，走的时候没有带走。
        """),
    ),
    Kind(
        name="flower",
        words=words("桂花 梅花 桃花 荷花 野花 玫瑰 花束 草药 药草 花 草 叶子 种子 梧桐 青苔"),
        says=lines("""
            {thing}开得不是时候，可它自己并不知道。
            把{thing}夹在哪里都好，别夹在要紧的那一页。
            这{thing}掐一下会疼，疼的是旁边看的人。
            我认得{thing}，也认得拿它骗人的人。你不像。
        """),
    ),
    Kind(
        name="wound",
        words=words("伤口 伤疤 血迹 旧伤 疤痕 绷带 药 血 伤 病"),
        says=lines("""
            让我看看。{thing}不怕深，怕的是捂着。
            {thing}会好的。会好，就是会先痒，再忘。
            这{thing}不是今天的。你瞒得过别人，瞒不过替人包扎过的手。
            别逞强，坐下，{thing}的事听我的。
        """),
    ),
    Kind(
        name="dream",
        words=words("梦境 噩梦 回忆 记忆 往事 过去 秘密 心事 传说 故事 谣言 诺言 约定 梦 命运 愿望"),
        says=lines("""
            {thing}这东西，说出来一半，就轻一半。
            人人都把{thing}藏在最里头，偏偏最里头最容易被翻出来。
            你的{thing}里，有没有一扇开着的窗？有就好办。
            讲{thing}不要在白天讲，白天的人听不进去。
        """),
    ),
    Kind(
        name="family",
        words=words(
            """
            父亲 母亲 爹 娘 爸爸 妈妈 哥哥 姐姐 弟弟 妹妹
            师父 师傅 孩子 妻子 丈夫 朋友 老师 祖母 外婆 奶奶 爷爷
            """
        ),
        says=lines("""
            你提起{thing}的时候，声音是另一个样子。
            {thing}若在这里，会先问你吃过没有，再问别的。
            我没有见过你的{thing}，可从你身上能看见一点影子。
            {thing}的事，你想说我就听；不想说，我就当刚才风大，没听见。
        """),
    ),
    Kind(
        name="door",
        words=words("房门 大门 木门 后门 窗户 窗子 楼梯 阁楼 地窖 走廊 房间 客房 门 窗 屋 墙"),
        says=lines("""
            那{thing}夜里会自己响，不用理。若是响三下，再来叫我。
            {thing}后头从前不是这样的，是有人走了以后才改的。
            {thing}没有上锁。没上锁的地方，反倒没人进去。
            你听，{thing}那边的风声，比别处低半个音。
        """),
    ),
    Kind(
        name="map",
        words=words("地图 罗盘 指南针 航线 路线 星图 怀表 钟表 时钟 钟 镜子 望远镜"),
        says=lines("""
            {thing}没有错，错的是画它的年月。
            这{thing}往北偏了一指。偏的那一指，正是我们要去的地方。
            信{thing}七分就够了，剩下三分留给脚。
            {thing}停在那一刻，是有人故意拨的。
        """),
    ),
    Kind(
        name="machine",
        words=words("飞船 引擎 机器人 机器 芯片 屏幕 终端 信号 密码 数据 电台 手机 电脑 汽车 火车 列车 车"),
        says=lines("""
            {thing}昨夜自己醒过一次，日志里却什么也没有。
            {thing}不会撒谎，它只会少说一半。
            给{thing}一点时间，它想事情的样子和人差不多。
            要是{thing}在这时候坏了，我倒不意外，意外的是它撑了这么久。
        """),
    ),
)
